//! Everything that is asked of cargo: the workspace, the build, and the executables that hold benchmarks.

mod calls;
mod configuration;
mod ending;
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
mod profile;
mod project;
mod runtime;
mod targets;
mod units;
mod wanted;

use crate::cli::CargoArgs;
use executable::Finder;
use features::Features;
use messages::Messages;
use profile::Profile;
use runtime::LibraryPaths;
use std::panic::resume_unwind;
use std::thread;

pub(crate) use configuration::Configuration;
pub(crate) use error::Error;
pub(crate) use executable::Executable;
pub(crate) use flags::{common as common_flags, program};
pub(crate) use packages::{names as package_names, single as single_package};
pub(crate) use project::Project;
pub(crate) use targets::{SkipReason, SkippedTarget};

/// What was built.
#[derive(Debug)]
pub(crate) struct Build {
    /// The executables that hold benchmarks: packages as the workspace has them, then by kind and name.
    pub(crate) executables: Vec<Executable>,
    /// Selected, but not built, or built and without benchmarks.
    pub(crate) skipped: Vec<SkippedTarget>,
    /// What cargo would warn of, and where what is done is not what cargo would do.
    pub(crate) warnings: Vec<String>,
    /// Nothing had to be built: all was there already.
    pub(crate) fresh: bool,
}

/// What manifest and configuration say of the profile: `lto=fat`. What we set ourselves is not in it.
pub(crate) fn profile_settings(project: &Project, args: &CargoArgs) -> Vec<String> {
    Profile::read(project, args).settings()
}

/// Builds the selected targets that mention nanobench, and no others, and finds those that hold benchmarks.
/// Cargo's progress and errors go to stderr as cargo writes them. With `processor_counters`, nanobench-core gets what it
/// needs to read these.
pub(crate) fn build(project: &Project, args: &CargoArgs, processor_counters: bool) -> Result<Build, Error> {
    let packages = packages::select(project, &args.packages)?;
    let features = Features::enabled(project, &packages.selected, &args.features);
    let targets = targets::select(&packages.selected, &args.targets, &features)?;
    let settings = units::settings(&Profile::read(project, args), &project.local_packages());
    let mut fresh = true;
    let (library_paths, configuration, built) = thread::scope(|scope| {
        // Both are needed after the build only, and asked meanwhile.
        let library_paths = scope.spawn(|| LibraryPaths::ask_rustc(args.build.target.as_deref()));
        let configuration = scope.spawn(|| Configuration::load(args));
        let calls = calls::split(targets.wanted);
        let built = calls.into_iter().map(|call| {
            let mut features = features::of_call(&packages.selected, call.packages(), &args.features);
            if processor_counters {
                features.extend(features::counters(call.packages()));
            }
            messages::read(&mut call.command(args, &features, &settings))
        });
        let built: Result<Vec<Messages>, Error> = built.collect();
        let library_paths = library_paths.join().unwrap_or_else(|panic| resume_unwind(panic));
        (library_paths, configuration.join().unwrap_or_else(|panic| resume_unwind(panic)), built)
    });
    let runner = configuration.runner.as_ref().map(|runner| {
        format!("cargo's configuration has `{runner}` as runner, which is not used: benchmarks are started as they are")
    });
    let mut finder = Finder::new(project, configuration.environment, targets.skipped);
    for messages in built? {
        fresh &= messages.artifacts.iter().all(|artifact| artifact.fresh);
        finder.add(&messages, &library_paths)?;
    }
    let (executables, skipped) = finder.finish();
    let warnings = packages.warnings.into_iter().chain(runner).collect();
    Ok(Build { executables, skipped, warnings, fresh })
}
