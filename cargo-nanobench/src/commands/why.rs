//! `cargo nanobench why`: the differences between the machine code of a benchmark and its baseline.

use super::code_site::{self, CodeSite};
use super::error::Error;
use super::run::RunOptions;
use crate::cargo::Project;
use crate::cli::WhyArgs;
use crate::code::{ChangedFunction, CodeComparer, NoAssembly, Place, find_function};
use crate::exit::Exit;
use crate::experiment::Suite;
use crate::instructions::{self, CallCounts, Counted};
use crate::output;
use crate::report::why;
use crate::revision;
use std::path::Path;

/// The baseline, unless a flag names one.
const LAST: &str = "last";

/// Explains the difference between a benchmark and its baseline.
pub(super) fn run(args: &WhyArgs) -> Result<Exit, Error> {
    let flags = args.run_args();
    let project = Project::load_to_build(&flags.cargo.options())?;
    let options = code_site::options(&flags, &project)?;
    let candidate = CodeSite::built(&args.id, &options, &project)?;
    let (name, baseline) = match &args.against {
        Some(revision) => {
            (revision.as_str(), of_revision(revision, &args.id, &options, &project, &candidate)?)
        }
        None => {
            let name = args.baseline.as_deref().unwrap_or(LAST);
            (name, CodeSite::stored(&args.id, name, &project)?)
        }
    };
    let function = candidate.benchmark.rust_path();
    let (one, other) = (&baseline.executable, &candidate.executable);
    let mut comparer = CodeComparer::default();
    let found = comparer.compare(one, other, &function);
    let changed = comparer.explain(one, other, &function);
    let changed = changed.ok_or_else(|| NoAssembly::NotFound(function.clone()))?;
    let counts = if args.no_counts { None } else { counts([&baseline, &candidate], &options) };
    let mut text = why::heading(&candidate.benchmark.id.to_string(), name);
    text += &counts.map_or_else(String::new, |counts| why::counts(&counts, &changed));
    let places = places(&mut comparer, [one, other], &changed, &project);
    text += &why::functions(&changed, &places, &found);
    if args.asm {
        for function in &changed {
            let sides = comparer.listings(one, other, function);
            text +=
                &sides.map_or_else(String::new, |sides| why::side_by_side(function, &sides, output::width()));
        }
    }
    output::print(&text)?;
    Ok(Exit::Success)
}

/// Builds a revision, and finds the benchmark in it.
fn of_revision(
    name: &str,
    id: &str,
    options: &RunOptions,
    project: &Project,
    candidate: &CodeSite,
) -> Result<CodeSite, Error> {
    let request = revision::Request {
        name,
        cargo: options.cargo(),
        workspace: project.root(),
        target_directory: project.target_directory(),
    };
    let (repository, commit) = request.resolve()?;
    let revision = request.build(&repository, commit, vec![&candidate.executable])?;
    CodeSite::of_suite(id, &Suite::open(revision.build.executables, options.session())?)
}

/// Returns the places of functions in the source, relative to the workspace: by debug information,
/// or else by their names.
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
    known.map(|(place, function)| place.or_else(|| by_name(function)).map(relative)).collect()
}

/// Counts a call of both sides. `None` if that is not possible here.
fn counts(sites: [&CodeSite; 2], options: &RunOptions) -> Option<[CallCounts; 2]> {
    let candidate = sites[1].built.as_ref()?;
    let stored = || candidate.stored_at(sites[0].executable.clone()).ok().flatten();
    let baseline = sites[0].built.clone().or_else(stored)?;
    let row = &sites[1].benchmark.id.row;
    let count = sites[1].benchmark.spec.count.unwrap_or(1);
    let counted = |executable| Counted { executable, row, count, time: None };
    instructions::count_calls([counted(&baseline), counted(candidate)], options.session()).ok()
}
