//! `--against REV`: the working tree compared with another revision.

use super::available::AvailableBenchmarks;
use super::build::{Built, build_and_probe};
use super::options::RunOptions;
use super::planned::{Planned, RunToCompare};
use super::premises::{Tree, of_builds};
use super::select::narrow;
use crate::baseline::{OtherSide, Store};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::{MigratedSuite, Project};
use crate::commands::error::Error;
use crate::commands::outputs::Outputs;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::experiment::{
    ComparisonPolicy, Filter, HarnessPair, Premise, Renames, Suite, baselines_in, harness_pairs, named,
};
use crate::git::{self, Commit};
use crate::interrupt;
use crate::report::{ComparedWith, ComparisonMethod, UnusableExecutables};
use crate::revision::{self, Revision};
use crate::session::SessionOptions;
use nanobench::report::escape;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The limit for the files of Git LFS that are considered.
const MAX_POINTERS: usize = 1000;

/// Builds both sides and measures them side by side. Saves nothing, so baselines and the last run
/// are unchanged.
pub(super) fn run(name: &str, options: &RunOptions, project: &Project) -> Result<Exit, Error> {
    let request = revision::Request { name, cargo: &options.suite.cargo, project };
    let outputs = Outputs::prepare(&options.output.files, project.target_directory())?;
    let (repository, commit) = request.resolve()?;
    let store = Store::open(project.target_directory(), project.root());
    let lock = store.lock(&interrupt::requested)?;
    let (environment, mut suite) = build_and_probe(&options.suite, project, &mut |_| None)?;
    let environment = Environment { context: options.output.context.clone(), ..environment };
    let here = suite.harnesses.iter().map(|harness| harness.executable.path.as_path()).collect();
    let revision = request.build(&repository, commit, here)?;
    let mut baseline = open(&revision, &options.suite.session)?;
    let available = AvailableBenchmarks::new(&suite);
    let renames = Renames::find(&suite, &named(&baseline), |id| available.has_lost(id));
    let missing = |filter: &Filter| missing(filter, &available, &renames, &baseline);
    let scale_to = narrow(options, Some(project), &mut suite, |filter| !missing(filter).is_empty())?;
    let missing = missing(&options.suite.filter);
    baseline.end_sessions();
    let premises = premises(&revision, project, &baseline, &suite, &renames);
    let offers = renames.offers(&suite).into_iter().collect();
    let Commit { name, hash: commit, .. } = &revision.commit;
    let run = RunToCompare {
        baselines: baselines_in(&baseline, &suite, &renames, &premises),
        policy: options.policy,
        compared_with: Some(describe(&revision, &environment, &options.policy)),
        warnings: [warnings(&revision, &baseline), lfs_pointers(&revision, project), offers].concat(),
        missing,
        figures_to_keep: None,
        other_side: Some(OtherSide::Revision { name: name.clone(), commit: commit.clone() }),
        unexplained: Vec::new(),
    };
    let built = Built { environment, suite, available, scale_to };
    let planned = Planned::new(built, None, vec![run], &options.policy);
    planned.complete(options, Some(project), &store, &lock, outputs)
}

/// Returns what comparisons of the two builds rest on.
fn premises(
    revision: &Revision,
    project: &Project,
    baseline: &Suite,
    suite: &Suite,
    renames: &Renames,
) -> HashMap<HarnessPair, Vec<Premise>> {
    let untracked = git::untracked_files(project.root()).unwrap_or_default();
    let premises = |pair: HarnessPair| {
        let [before, now] = pair;
        let there = Tree { executable: &baseline.harnesses[before].executable, root: &revision.build.root };
        let here = Tree { executable: &suite.harnesses[now].executable, root: project.root() };
        let Revision { shared_files, has_same_files, .. } = revision;
        let packages = revision.build.shared_packages_of(&there.executable.package.name);
        (pair, of_builds([there, here], shared_files, packages, *has_same_files, &untracked))
    };
    harness_pairs(baseline, suite, renames).into_iter().map(premises).collect()
}

/// Returns warnings about files of both trees that Git LFS has not fetched.
fn lfs_pointers(revision: &Revision, project: &Project) -> Vec<String> {
    let here = (project.root(), "the working tree".to_owned(), "git lfs pull".to_owned());
    let (tree, commit) = (&*revision.build.root, &revision.commit);
    let fetch =
        format!("git lfs install && git lfs fetch origin {}; then delete {}", commit.hash, tree.display());
    let there = (tree, escape(&commit.title()), fetch);
    let warning = |(root, name, fetch): (&Path, String, String)| {
        let pointers = git::lfs_pointers(root, MAX_POINTERS);
        let first = escape(pointers.first()?);
        let more =
            if pointers.len() > 1 { format!(" and {} more", pointers.len() - 1) } else { String::new() };
        Some(format!(
            "{first}{more} of {name}: there is only a pointer of Git LFS, so benchmarks don't read the file itself. To \
             fetch it: {fetch}"
        ))
    };
    [here, there].into_iter().filter_map(warning).collect()
}

/// Starts the executables of the revision.
fn open(revision: &Revision, session_options: &SessionOptions) -> Result<Suite, Error> {
    Suite::open(revision.build.executables.clone(), session_options).map_err(|source| {
        let commit = &revision.commit;
        let (name, short) = (commit.name.clone(), commit.short().to_owned());
        Error::RevisionSuite { name, short, source: Box::new(source) }
    })
}

/// Returns the ids of selected benchmarks that the revision has and the working tree doesn't.
fn missing(
    filter: &Filter,
    available: &AvailableBenchmarks,
    renames: &Renames,
    baseline: &Suite,
) -> Vec<BenchmarkId> {
    let selected = filter.select(&baseline.benchmarks).unwrap_or_default();
    let ids = selected.into_iter().map(|benchmark| benchmark.id);
    ids.filter(|id| !available.contains(id) && !renames.explain(id)).collect()
}

/// Describes the revision for headings: `3f2a91c (built in 4.1 s, kept)`.
fn describe(revision: &Revision, environment: &Environment, policy: &ComparisonPolicy) -> ComparedWith {
    let commit = &revision.commit;
    let built = match revision.build_time {
        Some(time) => format!("built in {:.1} s, kept", time.as_secs_f64()),
        None => "built before".to_owned(),
    };
    let with =
        commit.merge_base_with.as_ref().map(|with| format!("with {}, ", escape(with))).unwrap_or_default();
    // The revision has its own manifest and configuration; everything else is the same for both
    // sides.
    let (rustflags, profile_settings) = match revision.build.no_benchmarks {
        None => (revision.build.rustflags.clone(), Some(revision.build.profile_settings.clone())),
        Some(_) => (environment.rustflags.clone(), environment.profile_settings.clone()),
    };
    let before = Environment { rustflags, profile_settings, ..environment.clone() };
    let differences = environment.differences_from(&before);
    ComparedWith {
        // A hash is told by its first digits.
        name: if commit.hash.starts_with(&commit.name) { commit.short() } else { &commit.name }.to_owned(),
        description: format!("{} ({with}{built})", commit.short()),
        differences: differences.iter().map(ToString::to_string).collect(),
        unusable: UnusableExecutables::None,
        method: ComparisonMethod::Revision { commit: commit.hash.clone() },
        only_counts: policy.only_counts(),
        same_code: false,
    }
}

/// Returns warnings about the revision.
fn warnings(revision: &Revision, baseline: &Suite) -> Vec<String> {
    let commit = &revision.commit;
    let name = escape(&commit.title());
    let checked_out = revision.is_checked_out.then(|| {
        format!(
            "{name} is checked out without changes to tracked files: both sides are built from the same code"
        )
    });
    let migrated = revision.build.migrated.iter().map(|MigratedSuite { package, library }| {
        format!(
            "{package} ran its benchmarks by {library} itself in {name}: the two libraries don't time the same, so there \
             is no comparison, and they are reported as new. To compare them, commit the line of Cargo.toml that names \
             nanobench-{library} by itself on top of {name}, and compare with that commit"
        )
    });
    let no_benchmarks = revision.build.no_benchmarks.as_ref().filter(|_| revision.build.migrated.is_empty());
    let without_benchmarks = no_benchmarks.map(|reason| {
        format!(
            "{name} has no benchmarks to compare with: {}. All benchmarks are reported as new. To measure that \
             code, commit the benchmarks on a branch that starts there, and compare with that branch",
            escape(reason)
        )
    });
    let other_toolchain = revision.has_other_toolchain.then(|| {
        format!(
            "{name} names another toolchain than the working tree, whose toolchain builds both sides: what the \
             compiler changes doesn't show"
        )
    });
    let without = &revision.missing_submodules;
    let missing_submodules = (!without.is_empty()).then(|| {
        let paths = without.iter().map(|path| escape(path)).collect::<Vec<_>>().join(", ");
        format!(
            "{name} is built with empty folders for submodules whose commits aren't in this clone: {paths}. \
             To fetch them: git submodule update --init --recursive"
        )
    });
    let lockfile = revision.build.has_current_lockfile.then(|| {
        format!(
            "git doesn't track Cargo.lock in {name}, so both sides are built with that of the working tree: updates \
             of dependencies don't show. To compare them, commit Cargo.lock"
        )
    });
    let packages: BTreeSet<&PathBuf> = revision.build.shared_packages.values().flatten().collect();
    let packages = (!packages.is_empty()).then(|| {
        let paths = packages.iter().map(|path| escape(&path.to_string_lossy())).collect::<Vec<_>>().join(", ");
        format!(
            "both sides are built from packages outside of the repository, whose changes don't show: {paths}. \
             Benchmarks that may use them are unsure. To compare them, commit these packages to the repository, or \
             name a revision of theirs in Cargo.toml (git, rev)"
        )
    });
    let unlisted = baseline.unlisted.iter().map(|executable| {
        format!(
            "{} of {name} {}",
            escape(&executable.target.to_string()),
            escape(&executable.error.to_string())
        )
    });
    let of_revision =
        [checked_out, without_benchmarks, other_toolchain, missing_submodules, lockfile, packages];
    of_revision.into_iter().flatten().chain(migrated).chain(unlisted).collect()
}
