//! `cargo nanobench why`: the differences between the machine code of a benchmark and its baseline.

use super::code_site::{self, CodeSite};
use super::error::Error;
use super::run::SuiteOptions;
use crate::baseline::{self, BaselineRef, LoadedBaseline, MeasuredChanges, OtherSide, Store};
use crate::cargo::Project;
use crate::cli::WhyArgs;
use crate::code::{ChangedFunction, CodeComparer, NoAssembly, Place, find_function};
use crate::exit::Exit;
use crate::experiment::{Benchmark, Suite, compared_count};
use crate::fingerprint::Fingerprint;
use crate::git::Commit;
use crate::instructions::{self, CallCounts, Counted};
use crate::interrupt;
use crate::output;
use crate::report::{side_by_side, why};
use crate::revision;
use crate::warnings::warn;
use std::path::Path;

/// The indent of the rest of a line that is too long for the terminal.
const CONTINUED: &str = "    ";

/// Explains the difference between a benchmark and its baseline.
pub(super) fn run(args: &WhyArgs) -> Result<Exit, Error> {
    let flags = args.build.run_args();
    let project = Project::load_to_build(&flags.cargo.options())?;
    let options = code_site::options(&flags, &project)?.suite;
    let candidate = CodeSite::built(&args.id, &options, &project)?;
    let store = Store::open(project.target_directory(), project.root());
    let measured = store.measured_changes(&candidate.executable);
    let finder = BaselineFinder {
        id: &args.id,
        options: &options,
        project: &project,
        store,
        candidate: &candidate,
        measured: &measured,
    };
    let (other_side, baseline) = match (&args.against, &args.baseline) {
        (Some(revision), _) => finder.revision(revision)?,
        (None, Some(name)) => finder.baseline(&name.parse().map_err(baseline::Error::from)?)?,
        (None, None) => finder.last_compared()?,
    };
    let codes = [&baseline, &candidate].map(|site| site.benchmark.code());
    let (one, other) = (&baseline.executable, &candidate.executable);
    let mut comparer = CodeComparer::default();
    let found = comparer.compare(one, other, codes.each_ref());
    let changed = comparer.explain(one, other, codes.each_ref());
    let changed = changed.ok_or_else(|| NoAssembly::NotFound(candidate.benchmark.name()))?;
    let counts = if args.no_counts { None } else { counts([&baseline, &candidate], &options) };
    let id = candidate.benchmark.id.to_string();
    let measured = measured.iter().find(|measured| measured.since.is_code_of(&other_side));
    let time = measured.and_then(|measured| measured.of(&id));
    let mut text = why::heading(&id, &other_side);
    text += &why::sentence(time, counts.as_ref(), &changed);
    let places = places(&mut comparer, &candidate, one, &changed, &project);
    text += &why::functions(&changed, &places, &found, &other_side);
    let premises = measured.and_then(|measured| measured.premises.get(&id));
    text += &why::premises(premises.map_or(&[], Vec::as_slice));
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
    options: &'a SuiteOptions,
    project: &'a Project,
    store: Store,
    candidate: &'a CodeSite,
    /// The changes that the last comparison of the candidate's executable has measured.
    measured: &'a [MeasuredChanges],
}

impl BaselineFinder<'_> {
    /// Finds the other side of the last comparison. If there was none, or the other side is gone, it
    /// is the last run of other code.
    fn last_compared(&self) -> Result<(OtherSide, CodeSite), Error> {
        let since = self.measured.first().map(|measured| &measured.since);
        let Some(since) = since.filter(|since| !since.is_last_run()) else { return self.last_run() };
        let reason = match self.compared(since) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => "it was removed or replaced".to_owned(),
            Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
        };
        let found = self.last_run()?;
        let [instead, name] = [&found.0, since].map(why::other_side_name);
        warn(format!("compared with {instead}, not with {name} as in the last comparison: {reason}"));
        Ok(found)
    }

    /// Finds the benchmark in the last run, or if that measured the candidate, in the previous run,
    /// where it has other code.
    fn last_run(&self) -> Result<(OtherSide, CodeSite), Error> {
        let last = self.baseline(&BaselineRef::Last)?;
        if !self.is_candidate(&last.1) {
            return Ok(last);
        }
        let previous = self.baseline(&BaselineRef::BeforeLast).ok();
        Ok(previous.filter(|(_, site)| !self.is_candidate(site)).unwrap_or(last))
    }

    /// Returns whether an executable has the same bytes as the candidate's.
    fn is_candidate(&self, site: &CodeSite) -> bool {
        let fingerprint = |site: &CodeSite| Fingerprint::from_file(&site.executable).ok();
        fingerprint(site) == fingerprint(self.candidate)
    }

    /// Finds the benchmark in the other side of an earlier comparison. A baseline that was replaced
    /// since then is the previous one of its name.
    fn compared(&self, since: &OtherSide) -> Result<Option<(OtherSide, CodeSite)>, Error> {
        match since {
            OtherSide::Revision { commit, .. } => Ok(Some((since.clone(), self.revision(commit)?.1))),
            OtherSide::Baseline { name, created } => {
                let named: BaselineRef = name.parse().map_err(baseline::Error::from)?;
                let is_it = |reference: &BaselineRef| {
                    self.store.load(reference).is_ok_and(|saved| saved.baseline.created == *created)
                };
                let mut versions = [Some(named.clone()), named.previous()].into_iter().flatten();
                versions.find(is_it).map(|reference| self.baseline(&reference)).transpose()
            }
        }
    }

    /// Finds the benchmark in a baseline.
    fn baseline(&self, reference: &BaselineRef) -> Result<(OtherSide, CodeSite), Error> {
        let saved = self.store.load(reference)?;
        let site = self.find(|name| CodeSite::of_baseline(name, reference, &saved))?;
        let sides = sides_of(&saved, reference, &site);
        let is_compared =
            |side: &&OtherSide| self.measured.iter().any(|measured| measured.since.is_code_of(side));
        let side = sides.iter().find(is_compared).unwrap_or(&sides[0]).clone();
        Ok((side, site))
    }

    /// Builds a revision, and finds the benchmark in it.
    fn revision(&self, name: &str) -> Result<(OtherSide, CodeSite), Error> {
        let request = revision::Request { name, cargo: &self.options.cargo, project: self.project };
        let (repository, commit) = request.resolve()?;
        let _lock = self.store.lock(&interrupt::requested)?;
        let revision = request.build(&repository, commit, vec![&self.candidate.executable])?;
        let Commit { name, hash: commit, .. } = revision.commit;
        if let Some(reason) = revision.build.no_benchmarks {
            return Err(Error::NoBenchmarkInRevision { revision: name, reason });
        }
        let suite = Suite::open(revision.build.executables, &self.options.session)?;
        let site = self.find(|name| CodeSite::of_suite(name, &suite))?;
        Ok((OtherSide::Revision { name, commit }, site))
    }

    /// Finds the benchmark by the candidate's id or, if it had another one there, by that or the user's text.
    fn find(&self, by_name: impl Fn(&str) -> Result<CodeSite, Error>) -> Result<CodeSite, Error> {
        let Benchmark { id, spec, .. } = &self.candidate.benchmark;
        let former = spec.was.as_ref().map(|function| id.with_function(function).to_string());
        by_name(&id.to_string()).or_else(|_| by_name(former.as_deref().unwrap_or(self.id)))
    }
}

/// Returns a benchmark's baseline, and the run in which it was measured: the previous run may have
/// results of several runs, each of which was the last one when it was compared with.
fn sides_of(saved: &LoadedBaseline, reference: &BaselineRef, site: &CodeSite) -> [OtherSide; 2] {
    let run = &saved.baseline;
    let measured = saved.benchmark(&site.benchmark.id).map(|stored| run.measured_at(stored));
    [run.created, measured.unwrap_or(run.created)]
        .map(|created| OtherSide::Baseline { name: reference.name(), created })
}

/// Returns the places of functions in the source, relative to the workspace: that of the benchmark, or by
/// their names, or else by debug information, which has the code that is inlined there, too.
fn places(
    comparer: &mut CodeComparer,
    candidate: &CodeSite,
    one: &Path,
    changed: &[ChangedFunction],
    project: &Project,
) -> Vec<Option<Place>> {
    let Benchmark { spec, .. } = &candidate.benchmark;
    let crates = project.crates(candidate.benchmark.package());
    let is_own = |file: &Path| crates.iter().any(|(_, folder)| file.starts_with(folder));
    let by_name = |function: &ChangedFunction| match &function.name {
        Some(name) => find_function(name, &crates),
        None => Some(Place { file: spec.file.as_str().into(), line: spec.line }),
    };
    let relative = |place: Place| {
        let file = Path::new(&*place.file);
        let file = file.strip_prefix(project.root()).unwrap_or(file);
        Place { file: file.to_string_lossy().into(), ..place }
    };
    let known = comparer.places(one, &candidate.executable, changed, is_own).into_iter().zip(changed);
    known.map(|(place, function)| by_name(function).or(place).map(relative)).collect()
}

/// Counts a call of both sides. `None` if that is not possible here.
fn counts(sites: [&CodeSite; 2], options: &SuiteOptions) -> Option<[CallCounts; 2]> {
    let candidate = sites[1].built.as_ref()?;
    let stored = || candidate.stored_at(sites[0].executable.clone()).ok().flatten();
    let baseline = sites[0].built.clone().or_else(stored)?;
    let count = compared_count(&sites[1].benchmark.spec);
    let [before, now] = sites.map(|site| &site.benchmark.id.row);
    let counted = |executable, row| Counted { executable, row, count, time: None };
    instructions::count_calls([counted(&baseline, before), counted(candidate, now)], &options.session).ok()
}
