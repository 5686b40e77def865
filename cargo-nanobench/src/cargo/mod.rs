//! Everything that is asked of cargo: the workspace, the build, and the executables that hold benchmarks.

mod calls;
mod error;
mod executable;
mod features;
#[cfg(test)]
mod fixture;
mod flags;
mod kind;
mod marker;
mod mentions;
mod messages;
mod packages;
mod project;
mod runtime;
mod targets;
mod wanted;

use crate::cli::CargoArgs;
use executable::Finder;
use features::Features;
use runtime::LibraryPaths;

pub(crate) use error::Error;
pub(crate) use executable::Executable;
pub(crate) use flags::{common as common_flags, program};
pub(crate) use packages::{names as package_names, one as one_package};
pub(crate) use project::Project;
pub(crate) use targets::{PassedOver, Reason};

/// What was built.
#[derive(Debug)]
pub(crate) struct Build {
    /// The executables that hold benchmarks: packages as the workspace has them, then by kind and name.
    pub(crate) executables: Vec<Executable>,
    /// Selected, but not built, or built and without benchmarks.
    pub(crate) passed_over: Vec<PassedOver>,
    /// What cargo would warn of.
    pub(crate) warnings: Vec<String>,
}

/// Builds the selected targets that mention nanobench, and no others, and finds those that hold benchmarks.
/// Cargo's progress and errors go to stderr as cargo writes them.
pub(crate) fn build(project: &Project, args: &CargoArgs) -> Result<Build, Error> {
    let packages = packages::select(project, &args.packages)?;
    let features = Features::enabled(project, &packages.selected, &args.features);
    let targets = targets::select(&packages.selected, &args.targets, &features)?;
    let library_paths = LibraryPaths::ask_rustc(args.build.target.as_deref());

    let mut finder = Finder::new(project, targets.passed_over);
    for call in calls::split(targets.wanted) {
        let features = features::of_call(&packages.selected, call.packages(), &args.features);
        finder.add(&messages::read(&mut call.command(args, &features))?, &library_paths)?;
    }
    let (executables, passed_over) = finder.finish();
    Ok(Build { executables, passed_over, warnings: packages.warnings })
}
