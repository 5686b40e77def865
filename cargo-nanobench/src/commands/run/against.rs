//! `--against REV`: what is here beside another revision of it.

use super::measuring::{Measuring, finish};
use super::saving::Listing;
use super::watch::wait_quiet;
use super::{Error, build_and_look_around, ending, filter, narrow};
use crate::baseline::Store;
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Project;
use crate::cli::{InFile, RunArgs};
use crate::environment::Environment;
use crate::exit::Exit;
use crate::experiment::{Benchmark, ComparisonPolicy, Suite, TwoBuilds, UnlistedExecutable};
use crate::interrupt;
use crate::report::{Beside, ComparedWith, RunHeader};
use crate::revision::{self, Revision};
use crate::session::SessionOptions;
use nanobench::report::escape;

/// Builds both sides and measures them beside each other. Saves nothing: baselines and the last run stay.
pub(super) fn run(
    name: &str,
    args: &RunArgs,
    file: &InFile,
    project: &Project,
    session_options: &SessionOptions,
) -> Result<Exit, Error> {
    let order = revision::Request {
        name,
        cargo: &args.cargo,
        processor_counters: args.conditions.needs_feature(),
        workspace: project.root(),
        target_directory: project.target_directory(),
    };
    let (repository, commit) = order.resolve()?;
    let store = Store::open(project.target_directory());
    let _lock = store.lock(&interrupt::requested)?;
    let (mut environment, mut suite) = build_and_look_around(args, project, session_options)?;
    environment.nanobench_core = suite.harnesses.first().map(|harness| harness.version.clone());
    let here = suite.harnesses.iter().map(|harness| harness.executable.path.as_path()).collect();
    let revision = order.build(&repository, commit, here)?;
    let mut baseline = open(&revision, session_options)?;
    let missing = missing(args, &Listing::of(&suite), &baseline);
    let scale_to = narrow(args, file, &mut suite)?;
    wait_quiet(args);
    let with = describe(&revision, &environment);
    let mut header = RunHeader::new(environment, &suite, &session_options.counters, Some(with));
    header.warnings.extend(warnings(&revision, &baseline));

    let scale_to = scale_to.as_ref();
    let run = Measuring { args, file, session_options, scale_to };
    let judging = run.judging(true);
    // The same code does other work where it reads other files.
    let same_files = revision.has_same_files;
    let judging = ComparisonPolicy { identical: judging.identical || !same_files, same_files, ..judging };
    let two_builds = TwoBuilds { sampling: run.sampling(), session_options, judging };
    run.announce(&header.heading(run.verbose()), &header.warnings);
    let report = run.report(&mut suite, header, missing, |suite, observer| {
        two_builds.run(suite, &mut baseline, observer)
    });
    let reports = [report];
    finish(args, &reports, scale_to)?;
    Ok(ending(&reports))
}

/// Asks the executables of the revision what they hold.
fn open(revision: &Revision, session_options: &SessionOptions) -> Result<Suite, Error> {
    Suite::open(revision.executables.clone(), session_options).map_err(|source| {
        let commit = &revision.commit;
        Error::OtherSuite { name: commit.name.clone(), short: commit.short().to_owned(), source }
    })
}

/// What the revision has, was asked for, and is not there any more.
fn missing(args: &RunArgs, listing: &Listing, baseline: &Suite) -> Vec<BenchmarkId> {
    let selected = filter(&args.select).select(&baseline.benchmarks).unwrap_or_default();
    let is_there = |found: &Benchmark| listing.has(&found.id);
    selected.into_iter().filter(|found| !is_there(found)).map(|found| found.id).collect()
}

/// `main is 3f2a91c (built in 4.1 s, kept)`.
fn describe(revision: &Revision, environment: &Environment) -> ComparedWith {
    let commit = &revision.commit;
    let built = match revision.build_time {
        Some(took) => format!("built in {:.1} s, kept", took.as_secs_f64()),
        None => "built before".to_owned(),
    };
    let with = commit.with.as_ref().map(|with| format!("with {}, ", escape(with))).unwrap_or_default();
    // Manifest and configuration are its own; all else is the same for both.
    let (rustflags, profile_settings) = match revision.no_benchmarks {
        None => (revision.rustflags.clone(), Some(revision.profile_settings.clone())),
        Some(_) => (environment.rustflags.clone(), environment.profile_settings.clone()),
    };
    let there = Environment { rustflags, profile_settings, ..environment.clone() };
    let differences = environment.differences_from(&there);
    ComparedWith {
        name: commit.name.clone(),
        description: format!("{} ({with}{built})", commit.short()),
        differences: differences.iter().map(ToString::to_string).collect(),
        gone: 0,
        foreign: false,
        side_by_side: true,
        unchanged: false,
        with_executables: true,
        now: None,
        beside: Some(Beside { commit: commit.hash.clone() }),
    }
}

fn warnings(revision: &Revision, baseline: &Suite) -> Vec<String> {
    let commit = &revision.commit;
    let name = format!("{} ({})", escape(&commit.name), commit.short());
    let here = revision.is_checked_out.then(|| {
        format!(
            "{name} is what is checked out, and no file that git tracks is changed: but for other files, both sides are the \
             same code"
        )
    });
    let nothing = revision.no_benchmarks.as_ref().map(|why| {
        format!(
            "nothing to compare with in {name}: {}. All benchmarks are new; to compare that code, commit them on a branch \
             that starts there, and name the branch",
            escape(why)
        )
    });
    let broken = baseline.unlisted.iter().map(|UnlistedExecutable { target, error }| {
        format!("{} of {name} {}", escape(&target.to_string()), escape(&error.to_string()))
    });
    here.into_iter().chain(nothing).chain(broken).collect()
}
