//! The invocations of cargo that build only the selected targets.
//!
//! Cargo builds every named target in every named package. Usually one invocation is enough, with
//! features unified over all packages as in any build. A second one is needed if a target has to be
//! built in one package, and a target of the same name in another package must not be.

use super::command;
use super::kind::Kind;
use super::options::CargoOptions;
use super::targets::PackageTargets;
use cargo_metadata::{Package, Target};
use std::collections::BTreeSet;
use std::process::Command;

/// The format of cargo's messages in which it prints errors itself.
pub(super) const FOR_PEOPLE: &str = "json-render-diagnostics";
/// The format in which errors are messages, too.
pub(super) const FOR_PROGRAMS: &str = "json";

/// Packages that one invocation builds.
#[derive(Debug)]
pub(super) struct Invocation<'a> {
    packages: Vec<PackageTargets<'a>>,
}

/// Distributes the packages over invocations, first fit.
pub(super) fn plan(packages: Vec<PackageTargets<'_>>) -> Vec<Invocation<'_>> {
    let mut invocations: Vec<Invocation<'_>> = Vec::new();
    for package in packages {
        match invocations.iter_mut().find(|invocation| invocation.can_take(&package)) {
            Some(invocation) => invocation.packages.push(package),
            None => invocations.push(Invocation { packages: vec![package] }),
        }
    }
    invocations
}

impl<'a> Invocation<'a> {
    /// Returns whether adding the package would build chosen targets only.
    fn can_take(&self, package: &PackageTargets<'a>) -> bool {
        let packages: Vec<&PackageTargets<'a>> = self.packages.iter().chain([package]).collect();
        let named: BTreeSet<TargetFlag<'_>> = packages.iter().flat_map(|package| package.flags()).collect();
        packages.iter().all(|package| {
            let chosen: BTreeSet<TargetFlag<'_>> = package.flags().collect();
            let all = package.package.targets.iter().filter_map(TargetFlag::new);
            all.filter(|flag| named.contains(flag)).all(|flag| chosen.contains(&flag))
        })
    }

    /// The packages that it builds.
    pub(super) fn packages(&self) -> impl Iterator<Item = &'a Package> {
        self.packages.iter().map(|targets| targets.package)
    }

    /// Returns the targets with their packages.
    pub(super) fn targets(&self) -> impl Iterator<Item = (&'a Package, &'a Target)> {
        self.packages.iter().flat_map(|PackageTargets { package, targets }| {
            targets.iter().map(move |target| (*package, *target))
        })
    }

    /// Creates the command. `features` are the values of `--features` that concern these packages.
    /// `settings` are values for `--config`; those of the user come later and take precedence.
    pub(super) fn command(
        &self,
        args: &CargoOptions,
        features: &[String],
        settings: &[String],
        message_format: &str,
    ) -> Command {
        let mut command = Command::new(command::program());
        command.args(["bench", "--no-run"]).arg(format!("--message-format={message_format}"));
        for package in &self.packages {
            command.args(["--package", &package.package.id.repr]);
        }
        let named: BTreeSet<TargetFlag<'_>> = self.packages.iter().flat_map(PackageTargets::flags).collect();
        for TargetFlag(kind, name) in named {
            command.arg(format!("--{}", kind.as_str())).args(name);
        }
        let settings = settings.iter().map(|setting| ("--config", setting));
        let features = features.iter().map(|feature| ("--features", feature));
        let build = [("--profile", &args.profile), ("--jobs", &args.jobs)];
        let build = build.into_iter().filter_map(|(flag, value)| Some((flag, value.as_ref()?)));
        command.args(settings.chain(features).chain(build).map(|(flag, value)| format!("{flag}={value}")));
        command.args((args.common.verbose > 1).then_some("--verbose"));
        if let Some(dir) = &args.target_dir {
            command.arg("--target-dir").arg(dir);
        }
        command::configure_build(&mut command, args);
        command
    }
}

/// A flag that selects a target: `--lib`, or `--bench NAME`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TargetFlag<'a>(Kind, Option<&'a str>);

impl<'a> TargetFlag<'a> {
    fn new(target: &'a Target) -> Option<Self> {
        Some(match Kind::from_target(target)? {
            Kind::Lib => Self(Kind::Lib, None),
            kind => Self(kind, Some(&target.name)),
        })
    }
}

impl<'a> PackageTargets<'a> {
    fn flags(&self) -> impl Iterator<Item = TargetFlag<'a>> {
        self.targets.iter().filter_map(|target| TargetFlag::new(target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::fixture;
    use serde_json::json;

    /// Creates a package with these targets (`lib` or `kind name`). A `+` marks a chosen target.
    fn package(name: &str, targets: &[&str]) -> Package {
        let targets: Vec<_> = targets
            .iter()
            .map(|target| {
                let (kind, target) = target.trim_start_matches('+').split_once(' ').unwrap_or(("lib", name));
                fixture::target(kind, target)
            })
            .collect();
        fixture::package(name, &targets, &json!({}), &json!([]))
    }

    /// Returns the names of the packages of each invocation.
    fn invocations(workspace: &[(&str, &[&str])]) -> Vec<Vec<String>> {
        let packages: Vec<Package> = workspace.iter().map(|(name, targets)| package(name, targets)).collect();
        let chosen = packages.iter().zip(workspace).map(|(package, (_, targets))| {
            let targets = package.targets.iter().zip(*targets).filter(|(_, text)| text.starts_with('+'));
            PackageTargets { package, targets: targets.map(|(target, _)| target).collect() }
        });
        let names = |invocation: Invocation<'_>| {
            invocation.packages.iter().map(|package| package.package.name.to_string()).collect()
        };
        plan(chosen.collect()).into_iter().map(names).collect()
    }

    #[test]
    fn one_invocation_if_it_builds_chosen_targets_only() {
        assert_eq!(
            invocations(&[
                ("a", &["+lib", "+bench first"]),
                ("b", &["+bench second", "bench foreign"]),
                ("c", &["+bench first"])
            ]),
            [["a", "b", "c"]]
        );
    }

    #[test]
    fn unchosen_bench_of_the_same_name_is_not_built() {
        assert_eq!(
            invocations(&[
                ("a", &["+bench first"]),
                ("b", &["bench first", "+bench own"]),
                ("c", &["+bench other"])
            ]),
            [vec!["a", "c"], vec!["b"]]
        );
    }

    #[test]
    fn library_without_benchmarks_is_not_built() {
        assert_eq!(invocations(&[("a", &["lib", "+bench first"]), ("b", &["+lib"])]), [["a"], ["b"]]);
    }

    #[test]
    fn names_of_different_kinds_do_not_collide() {
        assert_eq!(
            invocations(&[("a", &["+bench first"]), ("b", &["example first", "+test first"])]),
            [["a", "b"]]
        );
    }
}
