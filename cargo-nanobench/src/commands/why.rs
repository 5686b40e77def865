//! `cargo nanobench why`: the differences between the machine code of a benchmark and its baseline.

use super::code_site::{self, CodeSite};
use super::error::Error;
use super::run::RunOptions;
use crate::baseline::{self, BaselineRef, MeasuredChanges, OtherSide, Store};
use crate::cargo::Project;
use crate::cli::WhyArgs;
use crate::code::{ChangedFunction, CodeComparer, NoAssembly, Place, find_function};
use crate::exit::Exit;
use crate::experiment::{Suite, compared_count};
use crate::git::Commit;
use crate::instructions::{self, CallCounts, Counted};
use crate::output;
use crate::report::{side_by_side, why};
use crate::revision;
use crate::warnings::warn;
use std::path::Path;

/// The indent of the rest of a line that is too long for the terminal.
const CONTINUED: &str = "    ";

/// Explains the difference between a benchmark and its baseline.
pub(super) fn run(args: &WhyArgs) -> Result<Exit, Error> {
    let flags = args.run_args();
    let project = Project::load_to_build(&flags.cargo.options())?;
    let options = code_site::options(&flags, &project)?;
    let candidate = CodeSite::built(&args.id, &options, &project)?;
    let finder = BaselineFinder { id: &args.id, options: &options, project: &project, candidate: &candidate };
    let measured = finder.store().measured_changes(&candidate.executable);
    let (other_side, baseline) = match (&args.against, &args.baseline) {
        (Some(revision), _) => finder.revision(revision)?,
        (None, Some(name)) => finder.baseline(&name.parse().map_err(baseline::Error::from)?)?,
        (None, None) => finder.last_compared(&measured)?,
    };
    let function = candidate.benchmark.rust_path();
    let (one, other) = (&baseline.executable, &candidate.executable);
    let mut comparer = CodeComparer::default();
    let found = comparer.compare(one, other, &function);
    let changed = comparer.explain(one, other, &function);
    let changed = changed.ok_or_else(|| NoAssembly::NotFound(function.clone()))?;
    let counts = if args.no_counts { None } else { counts([&baseline, &candidate], &options) };
    let id = candidate.benchmark.id.to_string();
    let time = measured.iter().find(|measured| measured.since.is_code_of(&other_side));
    let time = time.and_then(|measured| measured.of(&id));
    let mut text = why::heading(&id, &other_side);
    text += &why::sentence(time, counts.as_ref(), &changed);
    let places = places(&mut comparer, [one, other], &changed, &project);
    text += &why::functions(&changed, &places, &found, &other_side);
    let width = output::width();
    let mut text = output::wrapped(text.trim_end(), width, CONTINUED) + "\n";
    if args.asm {
        let workspace = project.root();
        for (function, sides) in changed.iter().zip(comparer.listings(one, other, &changed)) {
            let sides = sides.map(|sides| side_by_side(function, &sides, workspace, width));
            text += &sides.unwrap_or_default();
        }
    }
    output::print(&text)?;
    Ok(Exit::Success)
}

/// Finds the other side of a benchmark.
struct BaselineFinder<'a> {
    id: &'a str,
    options: &'a RunOptions,
    project: &'a Project,
    candidate: &'a CodeSite,
}

impl BaselineFinder<'_> {
    fn store(&self) -> Store {
        Store::open(self.project.target_directory(), self.project.root())
    }

    /// Finds the other side of the last comparison. If there was none, or the other side is gone, it
    /// is the last run.
    fn last_compared(&self, measured: &[MeasuredChanges]) -> Result<(OtherSide, CodeSite), Error> {
        if let Some(MeasuredChanges { since, .. }) = measured.first() {
            let reason = match self.compared(since) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => "it was removed or replaced".to_owned(),
                Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
            };
            let name = why::other_side_name(since);
            warn(format!("compared with the last run, not with {name} as in the last comparison: {reason}"));
        }
        self.baseline(&BaselineRef::Last)
    }

    /// Finds the benchmark in the other side of an earlier comparison. A baseline that was replaced
    /// since then is the previous one of its name.
    fn compared(&self, since: &OtherSide) -> Result<Option<(OtherSide, CodeSite)>, Error> {
        match since {
            OtherSide::Revision { commit, .. } => Ok(Some((since.clone(), self.revision(commit)?.1))),
            OtherSide::Baseline { name, created } => {
                let named: BaselineRef = name.parse().map_err(baseline::Error::from)?;
                let store = self.store();
                let is_it = |reference: &BaselineRef| {
                    store.load(reference).is_ok_and(|saved| saved.baseline.created == *created)
                };
                let mut versions = [Some(named.clone()), named.previous()].into_iter().flatten();
                versions.find(is_it).map(|reference| self.baseline(&reference)).transpose()
            }
        }
    }

    /// Finds the benchmark in a baseline.
    fn baseline(&self, reference: &BaselineRef) -> Result<(OtherSide, CodeSite), Error> {
        let saved = self.store().load(reference)?;
        let site = CodeSite::of_baseline(self.id, reference, &saved)?;
        Ok((OtherSide::Baseline { name: reference.name(), created: saved.baseline.created }, site))
    }

    /// Builds a revision, and finds the benchmark in it.
    fn revision(&self, name: &str) -> Result<(OtherSide, CodeSite), Error> {
        let request = revision::Request {
            name,
            cargo: self.options.cargo(),
            workspace: self.project.root(),
            target_directory: self.project.target_directory(),
        };
        let (repository, commit) = request.resolve()?;
        let revision = request.build(&repository, commit, vec![&self.candidate.executable])?;
        let Commit { name, hash: commit, .. } = revision.commit;
        let suite = Suite::open(revision.build.executables, self.options.session())?;
        Ok((OtherSide::Revision { name, commit }, CodeSite::of_suite(self.id, &suite)?))
    }
}

/// Returns the places of functions in the source, relative to the workspace: by their names, or else
/// by debug information, which may begin a function with the code that is inlined there first.
fn places(
    comparer: &mut CodeComparer,
    [one, other]: [&Path; 2],
    changed: &[ChangedFunction],
    project: &Project,
) -> Vec<Option<Place>> {
    let crates = project.crates();
    let by_name = |function: &ChangedFunction| find_function(function.name.as_deref()?, &crates);
    let relative = |place: Place| {
        let file = Path::new(&*place.file);
        let file = file.strip_prefix(project.root()).unwrap_or(file);
        Place { file: file.to_string_lossy().into(), ..place }
    };
    let known = comparer.places(one, other, changed).into_iter().zip(changed);
    known.map(|(place, function)| by_name(function).or(place).map(relative)).collect()
}

/// Counts a call of both sides. `None` if that is not possible here.
fn counts(sites: [&CodeSite; 2], options: &RunOptions) -> Option<[CallCounts; 2]> {
    let candidate = sites[1].built.as_ref()?;
    let stored = || candidate.stored_at(sites[0].executable.clone()).ok().flatten();
    let baseline = sites[0].built.clone().or_else(stored)?;
    let row = &sites[1].benchmark.id.row;
    let count = compared_count(&sites[1].benchmark.spec);
    let counted = |executable| Counted { executable, row, count, time: None };
    instructions::count_calls([counted(&baseline), counted(candidate)], options.session()).ok()
}
