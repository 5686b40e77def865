//! The calls of cargo that build the wanted targets and no others.
//!
//! Cargo builds every target that is named in every package that is named. Mostly one call will do, with features
//! unified over all packages as in any build. A second is needed where one package's target must not be built and
//! another's of the same name must.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use cargo_metadata::Target;

use super::flags;
use super::kind::Kind;
use super::wanted::Wanted;
use crate::cli::CargoArgs;

/// Packages that are built together.
#[derive(Debug)]
pub(super) struct Call<'a> {
    packages: Vec<Wanted<'a>>,
}

/// Distributes the packages over as few calls as the first fit gives.
pub(super) fn split(wanted: Vec<Wanted<'_>>) -> Vec<Call<'_>> {
    let mut calls: Vec<Call<'_>> = Vec::new();
    for package in wanted {
        match calls.iter_mut().find(|call| call.can_take(&package)) {
            Some(call) => call.packages.push(package),
            None => calls.push(Call { packages: vec![package] }),
        }
    }
    calls
}

impl<'a> Call<'a> {
    /// Whether the package can be added without building what isn't wanted, in it or because of it.
    fn can_take(&self, package: &Wanted<'a>) -> bool {
        let together: Vec<&Wanted<'a>> = self.packages.iter().chain([package]).collect();
        let named: BTreeSet<Flag<'_>> = together.iter().flat_map(|wanted| wanted.flags()).collect();
        together.iter().all(|wanted| {
            let own: BTreeSet<Flag<'_>> = wanted.flags().collect();
            let mut built =
                wanted.package.targets.iter().filter_map(Flag::of).filter(|flag| named.contains(flag));
            built.all(|flag| own.contains(&flag))
        })
    }

    /// The packages of the call, with their targets.
    pub(super) fn packages(&self) -> &[Wanted<'a>] {
        &self.packages
    }

    /// The call. `features` are those of `--features` that concern it; `settings` are for `--config`, where the user's come
    /// later and so count more.
    pub(super) fn command(&self, args: &CargoArgs, features: &[String], settings: &[String]) -> Command {
        let mut command = Command::new(flags::program());
        command.args(["bench", "--no-run", "--message-format=json-render-diagnostics"]);
        for wanted in &self.packages {
            command.args(["--package", &wanted.package.id.repr]);
        }
        let named: BTreeSet<Flag<'_>> = self.packages.iter().flat_map(Wanted::flags).collect();
        for Flag(kind, name) in named {
            command.arg(format!("--{}", kind.as_str())).args(name);
        }
        for setting in settings {
            command.args(["--config", setting]);
        }
        command.args(build_flags(args)).args(flags::common(&args.common));
        for feature in features {
            command.args(["--features", feature]);
        }
        if let Some(path) = &args.common.manifest_path {
            command.arg("--manifest-path").arg(path);
        }
        if let Some(dir) = args.target_dir() {
            command.arg("--target-dir").arg(dir);
        }
        flags::place(&args.common, &mut command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        command
    }
}

/// The flags of a build, except `--features` and paths.
fn build_flags(args: &CargoArgs) -> Vec<String> {
    let mut flags = Vec::new();
    let given = [
        (args.features.all_features, "--all-features"),
        (args.features.no_default_features, "--no-default-features"),
        (args.common.quiet, "--quiet"),
        (args.common.verbose > 1, "--verbose"),
    ];
    flags.extend(given.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_owned()));
    for (flag, value) in
        [("--profile", &args.build.profile), ("--target", &args.build.target), ("--jobs", &args.build.jobs)]
    {
        flags.extend(value.iter().map(|value| format!("{flag}={value}")));
    }
    flags
}

/// A flag that selects targets: `--lib`, or `--bench NAME`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Flag<'a>(Kind, Option<&'a str>);

impl<'a> Flag<'a> {
    /// The flag that selects a target.
    fn of(target: &'a Target) -> Option<Self> {
        Some(match Kind::of(target)? {
            Kind::Lib => Self(Kind::Lib, None),
            kind => Self(kind, Some(&target.name)),
        })
    }
}

impl<'a> Wanted<'a> {
    fn flags(&self) -> impl Iterator<Item = Flag<'a>> {
        self.targets.iter().filter_map(|target| Flag::of(target))
    }
}

#[cfg(test)]
mod tests {
    use cargo_metadata::Package;
    use serde_json::json;

    use super::*;
    use crate::cargo::fixture;

    /// A package with these targets (`lib` or `kind name`), of which those with a `+` are wanted.
    fn package(name: &str, targets: &[&str]) -> Package {
        let targets: Vec<_> = targets
            .iter()
            .map(|target| {
                let (kind, target) = target.trim_start_matches('+').split_once(' ').unwrap_or(("lib", name));
                fixture::target(kind, target, &[])
            })
            .collect();
        fixture::package(name, &targets, &json!({}), &json!([]))
    }

    /// The packages of each call, by name.
    fn calls(workspace: &[(&str, &[&str])]) -> Vec<Vec<String>> {
        let packages: Vec<Package> = workspace.iter().map(|(name, targets)| package(name, targets)).collect();
        let wanted = packages.iter().zip(workspace).map(|(package, (_, targets))| {
            let marks = targets.iter().map(|target| target.starts_with('+'));
            let targets =
                package.targets.iter().zip(marks).filter(|(_, wanted)| *wanted).map(|(target, _)| target);
            Wanted { package, targets: targets.collect() }
        });
        let names =
            |call: Call<'_>| call.packages.iter().map(|wanted| wanted.package.name.to_string()).collect();
        split(wanted.collect()).into_iter().map(names).collect()
    }

    #[test]
    fn one_call_where_it_builds_nothing_else() {
        assert_eq!(
            calls(&[
                ("a", &["+lib", "+bench first"]),
                ("b", &["+bench second", "bench foreign"]),
                ("c", &["+bench first"])
            ]),
            [["a", "b", "c"]]
        );
    }

    #[test]
    fn a_foreign_bench_of_the_same_name_is_kept_out() {
        assert_eq!(
            calls(&[
                ("a", &["+bench first"]),
                ("b", &["bench first", "+bench own"]),
                ("c", &["+bench other"])
            ]),
            [vec!["a", "c"], vec!["b"]]
        );
    }

    #[test]
    fn a_library_without_benchmarks_is_kept_out() {
        assert_eq!(calls(&[("a", &["lib", "+bench first"]), ("b", &["+lib"])]), [["a"], ["b"]]);
    }

    #[test]
    fn names_of_different_kinds_do_not_meet() {
        assert_eq!(
            calls(&[("a", &["+bench first"]), ("b", &["example first", "+test first"])]),
            [["a", "b"]]
        );
    }
}
