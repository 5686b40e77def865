//! The interface to cargo: the workspace, the build, and the executables that hold benchmarks.

mod build_inputs;
mod codegen_units;
mod command;
mod compiler;
mod configuration;
mod configuration_files;
mod dep_info;
mod elsewhere;
mod engine_level;
mod error;
mod executable;
mod features;
mod file_state;
#[cfg(test)]
mod fixture;
mod freshness;
pub mod interception;
mod invocation;
mod kind;
mod macro_crates;
mod manifest;
mod marker;
mod mentions;
mod messages;
mod missing_main;
mod named_files;
mod options;
mod packages;
mod profile;
mod project;
mod runtime;
mod sources;
mod start;
mod suites;
mod targets;
mod termination;
mod units;
mod unoptimized;
mod unresolved;

use build_inputs::BuildInputs;
use cargo_metadata::{Artifact, Package};
use configuration::Configuration;
use interception::Interception;
use messages::BuildMessages;
use profile::Profile;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

pub use command::{common_flags, program};
pub use configuration::build_target;
pub use dep_info::sources as dep_info_sources;
pub use elsewhere::{Elsewhere, elsewhere, has_benchmarks, other_targets, undiscovered_benches};
pub use error::Error;
pub use executable::{Executable, libraries_folder};
pub use kind::Kind;
pub use manifest::package_name;
pub use marker::{EntryPoint, find_entry_point, has_marker};
use messages::EndingCargo;
pub use missing_main::MissingMain;
pub use named_files::{is_dynamic_library, named_files_in, named_folders, output_folder};
pub use options::{CargoOptions, CommonOptions, FeatureOptions, OtherTree, PackageOptions, TargetOptions};
pub use packages::{names as package_names, selected_names as selected_packages, single as single_package};
pub use project::Project;
pub use start::has_changed as workspace_has_changed;
pub use suites::{MigratedSuite, entries_instead};
pub use targets::{SkipReason, SkippedTarget, matching_benches, unknown_bench};
pub use units::{Unit, hash as unit_hash};
pub use unresolved::Unresolved;

/// The crates of the harness, which is meant to be the same on both sides of a comparison.
const HARNESS: [&str; 6] = [
    "nanobench",
    "nanobench_engine",
    "nanobench_macros",
    "nanobench_criterion",
    "nanobench_divan",
    "nanobench_divan_macros",
];

/// The result of a build.
#[derive(Debug)]
pub struct Build {
    /// The executables that hold benchmarks, in the workspace's order of packages, then by kind and
    /// name.
    pub executables: Vec<Executable>,
    /// The selected targets that were not built, or that hold no benchmarks.
    pub skipped: Vec<SkippedTarget>,
    /// Warnings that cargo would print, and deviations from what `cargo bench` would do.
    pub warnings: Vec<String>,
    /// The flags for the compiler, from the environment or cargo's configuration.
    pub rustflags: Vec<String>,
    /// Everything was up to date.
    pub is_fresh: bool,
    /// The folders of packages that a path leads to, without those of the harness.
    pub path_packages: Vec<PathBuf>,
    /// The cargo that built it, which may still be printing its last lines.
    cargo: Option<EndingCargo>,
}

impl Build {
    /// Waits until cargo has printed its last lines.
    pub fn wait_for_cargo(&mut self) {
        self.cargo = None;
    }
}

/// Returns the settings of the profile in manifest and configuration (`lto=fat`), without those
/// that this tool adds.
pub fn profile_settings(project: &Project, args: &CargoOptions) -> Vec<String> {
    Profile::read(project, args).settings()
}

/// Builds the selected targets that may have benchmarks, and finds the executables that hold
/// benchmarks. Cargo prints its progress and errors to stderr. `meanwhile` is called once it was
/// started.
pub fn build(project: &Project, args: &CargoOptions, meanwhile: impl FnOnce()) -> Result<Build, Error> {
    let (selected, mut warnings) = packages::select(project, &args.packages)?;
    let targets = targets::select(project, &selected, args)?;
    warnings.extend(unresolved::warnings(&targets.chosen));
    let profile = Profile::read(project, args);
    let mut settings = codegen_units::settings(&profile, &project.local_packages());
    settings.extend(engine_level::setting(&profile, project.dependencies()));
    let (mut cargo, mut meanwhile) = (None, Some(meanwhile));
    let (compiler, configuration, messages) = thread::scope(|scope| {
        // Both are needed only after the build, so they are read meanwhile.
        let queries = scope.spawn(|| {
            let compiler = project.start.compiler(configuration::build_target(args).as_deref());
            let configuration = Configuration::load(args, compiler.host.as_deref());
            (compiler, configuration)
        });
        let interception = project.start.interception();
        let messages = invocation::plan(targets.chosen).into_iter().map(|invocation| {
            let own: Vec<&Package> = invocation.packages().collect();
            let features = features::for_invocation(&selected, &own, &args.features);
            let command = |format| {
                let mut command = invocation.command(args, &features, &settings, format);
                command.envs(interception.as_ref().and_then(Interception::variable));
                command
            };
            // It holds the lock that the next one waits for.
            drop(cargo.take());
            // Nobody is going to mend the warnings of another revision.
            let is_quiet = args.common.other_tree.is_some() && args.common.verbose == 0;
            let format = if is_quiet { invocation::FOR_PROGRAMS } else { invocation::FOR_PEOPLE };
            let mut messages = messages::run(&mut command(format), &mut || {
                if let Some(meanwhile) = meanwhile.take() {
                    meanwhile();
                }
            })
            .map_err(|error| {
                let for_programs = || command(invocation::FOR_PROGRAMS);
                missing_main::explain(unresolved::explain(error, &invocation, for_programs), &invocation)
            })?;
            cargo = messages.cargo.take();
            Ok(messages)
        });
        let messages: Result<Vec<BuildMessages>, Error> = messages.collect();
        let (compiler, configuration) = queries.join().unwrap_or_else(|panic| resume_unwind(panic));
        (compiler, configuration, messages)
    });
    project.start.confirm()?;
    let runner = configuration.runner.as_ref().map(|runner| {
        format!("the runner `{runner}` of cargo's configuration is ignored: benchmarks are started directly")
    });
    let (builds, mut skipped) = (messages?, targets.skipped);
    freshness::check(project, &builds, args.profile())?;
    warnings.extend(unoptimized::warnings(&profile, project, &builds));
    let units = units::of(&builds, project.build_directory());
    project.keep_build(units, BuildInputs::find(&builds, project.root()));
    let is_fresh = builds.iter().flat_map(|build| &build.artifacts).all(|artifact| artifact.fresh);
    let known = project.start.last_executables(args);
    let executables =
        executable::find(project, &builds, &configuration.environment, compiler, known, &mut skipped)?;
    // Variables of cargo's configuration may be secrets, which are not kept.
    let may_be_kept = configuration.environment.is_empty();
    project.start.keep_executables(args, if may_be_kept { &executables } else { &[] });
    warnings.extend(runner);
    let path_packages = path_packages(&builds);
    let rustflags = configuration.rustflags;
    Ok(Build { executables, skipped, warnings, rustflags, is_fresh, path_packages, cargo })
}

/// Returns the folders of the packages that a path leads to, without those of the harness.
fn path_packages(builds: &[BuildMessages]) -> Vec<PathBuf> {
    let folders = |is_chosen: fn(&Artifact) -> bool| -> BTreeSet<&Path> {
        let artifacts = builds.iter().flat_map(|build| &build.artifacts).filter(|it| is_chosen(it));
        artifacts.filter_map(|artifact| artifact.manifest_path.as_std_path().parent()).collect()
    };
    let of_harness = folders(|artifact| HARNESS.contains(&&*artifact.target.name.replace('-', "_")));
    let by_path = folders(|artifact| artifact.package_id.repr.contains("path+file:"));
    // `-Z build-std` builds the standard library of the toolchain.
    let is_of_toolchain = |folder: &Path| folder.iter().any(|part| part == "rustlib");
    let others = by_path.difference(&of_harness).filter(|folder| !is_of_toolchain(folder));
    others.map(|folder| folder.to_path_buf()).collect()
}
