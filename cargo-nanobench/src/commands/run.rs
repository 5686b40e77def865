//! `cargo nanobench [run]`: find, build, measure, compare, keep, report.

mod against;
mod measuring;
mod reference;
mod renamed;
mod saving;
mod watch;

use super::compatibility::Incomparable;
use crate::baseline::{self, NameError, Store};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::{self, Configuration, Project, SkipReason, SkippedTarget};
use crate::cli::{self, InFile, RunArgs, Select, WipeSize};
use crate::config;
use crate::environment::{Environment, Probe, machine};
use crate::exit::Exit;
use crate::experiment::{
    Benchmark, Filter, Gate, NoMatch, NotOne, Row, Suite, SuiteError, UnlistedExecutable, one,
};
use crate::report::{ComparedWith, Report, RunHeader};
use crate::session::SessionOptions;
use crate::{interrupt, output, revision};
use measuring::Measuring;
use nanobench::protocol::Conditions;
use reference::Reference;
use saving::{Listing, Names, built, carry, keep};
use std::collections::{BTreeSet, HashSet};
use std::panic::resume_unwind;
use std::{io, thread};
use watch::wait_quiet;

/// Why there was nothing to run, or nothing to say of it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Cargo(#[from] cargo::Error),
    #[error(transparent)]
    Baseline(#[from] baseline::Error),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Incomparable(#[from] Incomparable),
    #[error(transparent)]
    Suite(#[from] SuiteError),
    #[error(transparent)]
    Revision(#[from] revision::Error),
    #[error("{} ({short}) can't be run\n{source}", nanobench::report::escape(.name))]
    OtherSuite { name: String, short: String, source: SuiteError },
    #[error(transparent)]
    Config(#[from] config::Error),
    #[error(transparent)]
    NoMatch(#[from] NoMatch),
    #[error(transparent)]
    NotOne(#[from] NotOne),
    #[error("no executable with benchmarks could be asked what it holds{}", broken(.0))]
    AllBroken(Vec<UnlistedExecutable>),
    #[error("there is no benchmark in the selected packages{}\n{FIRST_BENCHMARK}", lines(.0))]
    NoBenchmark(Vec<SkippedTarget>),
    #[error("cannot write the report to stdout: {source}{}", what_is_left(*.saved))]
    Output { source: io::Error, saved: bool },
}

const FIRST_BENCHMARK: &str = "\
write the first one, for example in benches/first.rs:

    #[nanobench::nanobench]
    fn concat() -> String {
        [\"left\", \"right\"].concat()
    }

or let it be written, with the dev-dependency that it needs: cargo nanobench init";

/// A line for each target that mentions nanobench and still holds no benchmark.
fn lines(skipped: &[SkippedTarget]) -> String {
    let telling = skipped.iter().filter(|skipped| skipped.reason != SkipReason::NoMention);
    telling.map(|skipped| format!("\n{skipped}")).collect()
}

fn broken(executables: &[UnlistedExecutable]) -> String {
    let line = |UnlistedExecutable { target, error }: &UnlistedExecutable| {
        format!("\n{target} {}", nanobench::report::escape(&error.to_string()))
    };
    executables.iter().map(line).collect()
}

/// What is not lost with the report.
fn what_is_left(saved: bool) -> &'static str {
    if saved { "\nthe run itself was saved" } else { "" }
}

impl Error {
    /// How the run ends by it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Error::Cargo(_) | Error::Revision(_) if interrupt::requested() => Exit::Interrupted,
            Error::Cargo(error) => error.exit(),
            Error::Baseline(error) => error.exit(),
            Error::Name(_) | Error::Config(_) | Error::NotOne(_) => Exit::Usage,
            Error::Incomparable(error) => error.exit(),
            Error::Suite(error) | Error::OtherSuite { source: error, .. } => error.exit(),
            Error::Revision(error) => error.exit(),
            Error::AllBroken(_) => Exit::BenchmarkFailed,
            Error::NoMatch(_) | Error::NoBenchmark(_) => Exit::NothingToRun,
            Error::Output { .. } => Exit::Surroundings,
        }
    }
}

impl From<io::Error> for Error {
    /// Before anything was saved.
    fn from(source: io::Error) -> Error {
        Error::Output { source, saved: false }
    }
}

/// Runs the benchmarks that are asked for.
pub(crate) fn run(flags: &RunArgs) -> Result<Exit, Error> {
    interrupt::watch();
    let names = Names::of(flags)?;
    let project = Project::load(&flags.cargo.common, flags.cargo.target_dir())?;
    let file = config::load(project.root())?;
    let args = &file.complete(flags);
    let session_options = &session_options(args, &file);
    if args.select.list {
        return list(args, &project, session_options);
    }
    if let Some(name) = &args.compare.against {
        return against::run(name, args, &file, &project, session_options);
    }
    let store = Store::open(project.target_directory());
    let lock = store.lock(&interrupt::requested)?;
    let references = names.to_compare(&store)?;
    let (mut environment, mut suite) = build_and_look_around(args, &project, session_options)?;
    environment.nanobench_core = suite.harnesses.first().map(|harness| harness.version.clone());
    let last = references.iter().find_map(Reference::last);
    let references = reference::comparable(references, &environment, args)?;
    let listing = Listing::of(&suite);
    let scale_to = narrow(args, &file, &mut suite)?;
    let mut staged = lock.stage(&built(&suite), &names.to_save(), suite.benchmarks.len())?;
    carry(&mut staged, last, &store, &environment, &listing)?;
    wait_quiet(args);

    let scale_to = scale_to.as_ref();
    let run = Measuring { args, file: &file, session_options, scale_to };
    let mut reports: Vec<Report> = Vec::new();
    for reference in one_at_least(&references) {
        let missing = reference.map(|reference| listing.missing(&filter(&args.select), reference));
        let with = reference.map(|reference| {
            let unchanged =
                !run.judging(true).identical && reference.is_unchanged(&staged, &suite.benchmarks);
            reference.describe(&environment, unchanged)
        });
        let header = RunHeader::new(environment.clone(), &suite, &session_options.counters, with);
        announce(&run, &header, reports.last())?;
        reports.push(run.beside(reference, &staged, &mut suite, header, missing.unwrap_or_default()));
    }
    keep(staged, &mut reports, &names, &store, &listing, &Gate::for_moving_on(&args.gate))?;
    measuring::finish(args, &reports, scale_to)?;
    Ok(ending(&reports))
}

/// Each of the references, or none once where there is none: a run is measured beside each by itself.
fn one_at_least(references: &[Reference]) -> impl Iterator<Item = Option<&Reference>> {
    let none = references.is_empty().then_some(None);
    references.iter().map(Some).chain(none)
}

/// Says what goes for the table that follows. What goes for the whole run is said above the first one only.
fn announce(run: &Measuring<'_>, header: &RunHeader, before: Option<&Report>) -> io::Result<()> {
    let Some(before) = before else {
        run.announce(&header.heading(run.verbose()), &header.warnings);
        return Ok(());
    };
    measuring::conclude(run.args, std::slice::from_ref(before))?;
    if interrupt::requested() {
        return Ok(());
    }
    let warnings = header.compared_with.as_ref().map(ComparedWith::warnings);
    run.announce(&header.comparison(), &warnings.unwrap_or_default());
    Ok(())
}

/// Builds, and meanwhile asks the machine, the compiler and git, which costs some 10 ms each.
fn build_and_look_around(
    args: &RunArgs,
    project: &Project,
    session_options: &SessionOptions,
) -> Result<(Environment, Suite), Error> {
    thread::scope(|scope| {
        let environment = scope.spawn(|| environment(args, project));
        let suite = build(args, project, session_options);
        let environment = environment.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok((environment, suite?))
    })
}

/// Narrows the suite to what is asked for. Returns the id of the benchmark that the others are shown as multiples of.
fn narrow(args: &RunArgs, file: &InFile, suite: &mut Suite) -> Result<Option<BenchmarkId>, Error> {
    let scale_to = scale_to(args, file, suite)?;
    suite.narrow(selected(args, suite, scale_to.as_ref())?);
    Ok(scale_to)
}

/// The id of the benchmark that the others are to be shown as multiples of. One that the file names may be in a package that
/// this run is not about.
fn scale_to(args: &RunArgs, file: &InFile, suite: &Suite) -> Result<Option<BenchmarkId>, NotOne> {
    let filter = filter(&args.select);
    let id = |name| one(&suite.benchmarks, &filter, name).map(|found| Some(found.id.clone()));
    match (args.output.scale_to.as_deref(), file.scale_to()) {
        (Some(name), _) => id(name),
        (None, Some(name)) => match id(name) {
            Err(NotOne::None { .. }) => {
                if args.output.warns() {
                    let name = nanobench::report::escape(name);
                    anstream::eprintln!(
                        "warning: no benchmark here is called `{name}` (scale-to in the configuration)"
                    );
                }
                Ok(None)
            }
            found => found,
        },
        (None, None) => Ok(None),
    }
}

/// What is selected, with the benchmark that the others are shown as multiples of.
fn selected(
    args: &RunArgs,
    suite: &Suite,
    scale_to: Option<&BenchmarkId>,
) -> Result<Vec<Benchmark>, NoMatch> {
    let selected = filter(&args.select).select(&suite.benchmarks)?;
    let ids: HashSet<&BenchmarkId> = selected.iter().map(|found| &found.id).chain(scale_to).collect();
    let is_selected = |found: &&Benchmark| ids.contains(&found.id);
    Ok(suite.benchmarks.iter().filter(is_selected).cloned().collect())
}

/// Builds what is asked for and starts it.
fn build(args: &RunArgs, project: &Project, session_options: &SessionOptions) -> Result<Suite, Error> {
    let build = cargo::build(project, &args.cargo, args.conditions.needs_feature())?;
    for warning in &build.warnings {
        anstream::eprintln!("warning: {warning}");
    }
    if args.cargo.common.verbose > 0 {
        for skipped in &build.skipped {
            anstream::eprintln!("passed over: {skipped}");
        }
    }
    if build.executables.is_empty() {
        return Err(Error::NoBenchmark(build.skipped));
    }
    let suite = Suite::open(build.executables, session_options)?;
    if suite.benchmarks.is_empty() && !suite.unlisted.is_empty() {
        return Err(Error::AllBroken(suite.unlisted));
    }
    if suite.benchmarks.is_empty() {
        return Err(Error::NoBenchmark(build.skipped));
    }
    Ok(suite)
}

fn session_options(args: &RunArgs, file: &InFile) -> SessionOptions {
    SessionOptions {
        timeout: args.process.timeout(),
        nocapture: args.process.nocapture,
        timer: args.process.timer,
        conditions: conditions(&args.conditions),
        usual: conditions(file.conditions()),
        counters: args.conditions.counters.clone(),
    }
}

/// Caches and threads, as the harness is asked for them.
fn conditions(asked: &cli::Conditions) -> Conditions {
    let sizes: BTreeSet<u64> = asked
        .wipe_size
        .iter()
        .flat_map(|size| match *size {
            WipeSize::Bytes(bytes) => vec![bytes],
            WipeSize::Sweep => machine::cache_sweep(),
        })
        .collect();
    let some = |numbers: Vec<u64>| (!numbers.is_empty()).then_some(numbers);
    Conditions {
        cache: asked.cache.map(|cache| cache.name().to_owned()),
        wipe_sizes: some(sizes.into_iter().collect()),
        threads: some(asked.threads.clone()),
    }
}

fn filter(select: &Select) -> Filter {
    Filter {
        filters: select.filters.clone(),
        bench: select.bench.clone(),
        skip: select.skip.clone(),
        tags: select.tag.clone(),
        skip_tags: select.skip_tag.clone(),
        exact: select.exact,
        ignored: select.ignored,
        include_ignored: select.include_ignored,
    }
}

/// `--list`: an id a line.
fn list(args: &RunArgs, project: &Project, session_options: &SessionOptions) -> Result<Exit, Error> {
    let suite = build(args, project, session_options)?;
    for found in filter(&args.select).select(&suite.benchmarks)? {
        output::print(&(nanobench::report::escape(&found.id.to_string()) + "\n"))?;
    }
    for UnlistedExecutable { target, error } in &suite.unlisted {
        anstream::eprintln!("warning: {target} {}", nanobench::report::escape(&error.to_string()));
    }
    Ok(if suite.unlisted.is_empty() { Exit::Done } else { Exit::BenchmarkFailed })
}

fn environment(args: &RunArgs, project: &Project) -> Environment {
    Environment::probe(&Probe {
        workspace_root: project.root(),
        target: args.cargo.build.target.as_deref(),
        profile: args.cargo.profile(),
        profile_settings: &cargo::profile_settings(project, &args.cargo),
        features: &features(&args.cargo.features),
        rustflags: &Configuration::load(&args.cargo).rustflags,
        context: &args.output.context,
    })
}

/// The features as they were asked for.
fn features(flags: &clap_cargo::Features) -> Vec<String> {
    let words =
        [(flags.all_features, "--all-features"), (flags.no_default_features, "--no-default-features")];
    let words = words.into_iter().filter(|(given, _)| *given).map(|(_, word)| word.to_owned());
    words.chain(flags.features.iter().cloned()).collect()
}

fn ending(reports: &[Report]) -> Exit {
    let any = |what: fn(&Report) -> bool| reports.iter().any(what);
    if any(|report| report.outcome.not_reached.is_some()) {
        Exit::Interrupted
    } else if any(|report| report.outcome.broken > 0 || report.rows.iter().any(Row::failed)) {
        Exit::BenchmarkFailed
    } else if any(Report::is_held_back) {
        Exit::GateFailed
    } else {
        Exit::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_is_lost_says_whether_the_run_is_too() {
        let said = |saved| Error::Output { source: io::ErrorKind::StorageFull.into(), saved }.to_string();
        assert!(said(true).ends_with("\nthe run itself was saved"));
        assert!(!said(false).contains("saved"));
        assert_eq!(Error::from(io::Error::from(io::ErrorKind::StorageFull)).exit(), Exit::Surroundings);
    }
}
