//! Selection of targets that the flags include and that may have benchmarks.

use super::features::EnabledFeatures;
use super::kind::Kind;
use super::macro_crates::MacroCrates;
use super::manifest::Manifest;
use super::options::{CargoOptions, PackageOptions, TargetOptions};
use super::packages::{self, pattern};
use super::{Error, Project, mentions, suites, unresolved};
use crate::suggest;
use cargo_metadata::{Package, Target};
use glob::Pattern;
use std::fmt;

/// The selected targets.
#[derive(Debug, Default)]
pub(super) struct Targets<'a> {
    pub(super) chosen: Vec<PackageTargets<'a>>,
    pub(super) skipped: Vec<SkippedTarget>,
}

/// A package and its targets to build, at least one.
#[derive(Debug, Clone)]
pub(super) struct PackageTargets<'a> {
    pub(super) package: &'a Package,
    pub(super) targets: Vec<&'a Target>,
}

/// A selected target without a benchmark to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedTarget {
    package: String,
    kind: Kind,
    target: String,
    pub reason: SkipReason,
    /// A flag names the target.
    pub is_named: bool,
}

/// The reason why a target is skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// Not built: its sources don't mention nanobench, or a crate whose macros may.
    NoMention,
    /// Not built: these required features are off.
    FeaturesOff(Vec<String>),
    /// Built, but without a benchmark in the executable.
    NoBenchmark,
    /// Built, but its `main` is not that of nanobench.
    ForeignMain,
}

impl SkippedTarget {
    pub(super) fn new(package: &Package, target: &Target, kind: Kind, reason: SkipReason) -> Self {
        Self { package: package.name.to_string(), kind, target: target.name.clone(), reason, is_named: false }
    }
}

impl fmt::Display for SkippedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { package, kind, target, reason, .. } = self;
        write!(f, "{} `{target}` of `{package}`: ", kind.as_str())?;
        match reason {
            SkipReason::NoMention => f.write_str("its sources don't mention nanobench"),
            SkipReason::FeaturesOff(features) => {
                let (list, flags) = (features.join(", "), features.join(","));
                write!(f, "it requires features that are off: {list}; add --features {flags}")
            }
            SkipReason::NoBenchmark => f.write_str("it has no function with #[nanobench]"),
            SkipReason::ForeignMain => f.write_str(
                "its Cargo.toml says `harness = false`, but its main is not nanobench::main!(): \
                 remove that line, or write nanobench::main!();",
            ),
        }
    }
}

/// Selects targets. A target named by a flag is built even if it requires features that are off:
/// cargo reports them.
pub(super) fn select<'a>(
    project: &'a Project,
    packages: &[&'a Package],
    args: &CargoOptions,
) -> Result<Targets<'a>, Error> {
    let filter = Filter::new(&args.targets)?;
    filter.check_names(packages)?;
    let mut selected = Targets::default();
    let mut features = None;
    let macro_crates = MacroCrates::find(&project.members());
    for &package in packages {
        let others = macro_crates.names_in(package);
        let mut targets = Vec::new();
        for target in &package.targets {
            let Some(kind) = Kind::from_target(target) else { continue };
            let is_named = filter.names(kind, target);
            if !is_named && !filter.takes_all(kind) {
                continue;
            }
            let is_mentioned = mentions::nanobench_or(&others, package, target);
            let reason = if !is_mentioned && !is_named && !may_have_unseen(package, kind, target) {
                SkipReason::NoMention
            } else if is_named || target.required_features.is_empty() {
                targets.push(target);
                continue;
            } else {
                let features = match &mut features {
                    Some(features) => features,
                    none => none.insert(EnabledFeatures::query(packages, args)?),
                };
                let missing = features.missing(package, target);
                if missing.is_empty() {
                    targets.push(target);
                    continue;
                }
                SkipReason::FeaturesOff(missing)
            };
            let skipped = SkippedTarget::new(package, target, kind, reason);
            selected.skipped.push(SkippedTarget { is_named, ..skipped });
        }
        if !targets.is_empty() {
            selected.chosen.push(PackageTargets { package, targets });
        }
    }
    Ok(selected)
}

/// Returns whether a target that doesn't mention nanobench may have benchmarks: one for benchmarks, in a
/// package whose suite is that of another library, or, with the default harness, in one that depends on
/// nanobench: a procedural macro or a build script may write them. For libraries and tests, that would be
/// too rare to build each of them.
fn may_have_unseen(package: &Package, kind: Kind, target: &Target) -> bool {
    let may_be_written = || {
        !unresolved::kinds(package).is_empty() && !Manifest::read(package).has_own_harness(kind, &target.name)
    };
    kind == Kind::Bench
        && (suites::may_have_some(package) || may_be_written())
        && !mentions::nightly_features(target)
}

/// Returns the pattern of a value of `--bench` that matches a bench target of the selected packages.
/// `None` if it may be a part of an id. Fails if it can only be a misspelled name.
pub fn matching_benches(
    project: &Project,
    flags: &PackageOptions,
    value: &str,
) -> Result<Option<Pattern>, Error> {
    let (packages, _) = packages::select(project, flags)?;
    // Text that is no valid pattern may still be a part of an id.
    let Ok(pattern) = pattern(value) else { return Ok(None) };
    let names = names_of_kind(&packages, Kind::Bench);
    if names.iter().any(|name| pattern.matches(name)) {
        return Ok(Some(pattern));
    }
    let is_similar = !suggest::nearest(value, names).is_empty();
    if is_similar && !may_be_in_an_id(&packages, value) {
        return Err(unknown_target(Kind::Bench, value, &packages));
    }
    Ok(None)
}

/// Returns the error for a value of `--bench` that names no bench target.
pub fn unknown_bench(project: &Project, flags: &PackageOptions, value: &str) -> Result<Error, Error> {
    let (packages, _) = packages::select(project, flags)?;
    Ok(unknown_target(Kind::Bench, value, &packages))
}

/// Returns the error for a name of no target. Suggests any target with a similar name, or lists those
/// that may have benchmarks.
fn unknown_target(kind: Kind, name: &str, packages: &[&Package]) -> Error {
    let all = names_of_kind(packages, kind);
    let with_mention = names_of(packages, |package, target| {
        Kind::from_target(target) == Some(kind) && mentions::nanobench_or(&[], package, target)
    });
    let has_similar = !suggest::nearest(name, all.iter().copied()).is_empty();
    let names = if has_similar || with_mention.is_empty() { all } else { with_mention };
    let hint = suggest::hint(name, names);
    Error::UnknownTarget { kind: kind.as_str(), name: name.to_owned(), hint }
}

fn names_of_kind<'a>(packages: &[&'a Package], kind: Kind) -> Vec<&'a str> {
    names_of(packages, |_, target| Kind::from_target(target) == Some(kind))
}

fn names_of<'a>(packages: &[&'a Package], is_shown: impl Fn(&Package, &Target) -> bool) -> Vec<&'a str> {
    let targets =
        packages.iter().flat_map(|package| package.targets.iter().map(move |target| (package, target)));
    let shown = targets.filter(|(package, target)| is_shown(package, target));
    shown.map(|(_, target)| target.name.as_str()).collect()
}

/// Returns whether a benchmark may have this text in its id: the package, the target or a source file
/// has it, or it is longer than a name.
fn may_be_in_an_id(packages: &[&Package], text: &str) -> bool {
    let is_name = text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'));
    let has_it = |package: &Package, target: &Target| {
        target.name.contains(text) || mentions::text(package, target, text)
    };
    let mut packages = packages.iter();
    !is_name
        || packages.any(|package| {
            package.name.contains(text) || package.targets.iter().any(|target| has_it(package, target))
        })
}

/// The flags that select targets, all of a kind or by name.
#[derive(Debug)]
pub(super) struct Filter {
    kinds: Vec<Kind>,
    names: Vec<(Kind, String, Pattern)>,
}

impl Filter {
    pub(super) fn new(flags: &TargetOptions) -> Result<Self, Error> {
        let kinds = [
            (flags.lib, Kind::Lib),
            (flags.bins, Kind::Bin),
            (flags.benches, Kind::Bench),
            (flags.tests, Kind::Test),
            (flags.examples, Kind::Example),
        ];
        let kinds = kinds.into_iter().filter(|(given, _)| *given || flags.all_targets);
        let mut filter = Self { kinds: kinds.map(|(_, kind)| kind).collect(), names: Vec::new() };
        for (kind, names) in [
            (Kind::Bin, &flags.bin),
            (Kind::Bench, &flags.bench),
            (Kind::Test, &flags.test),
            (Kind::Example, &flags.example),
        ] {
            for name in names {
                filter.names.push((kind, name.clone(), pattern(name)?));
            }
        }
        if filter.kinds.is_empty() && filter.names.is_empty() {
            filter.kinds = vec![Kind::Lib, Kind::Bin, Kind::Bench];
        }
        Ok(filter)
    }

    /// Returns whether the flags select a target.
    pub(super) fn selects(&self, kind: Kind, target: &Target) -> bool {
        self.takes_all(kind) || self.names(kind, target)
    }

    fn takes_all(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    fn names(&self, kind: Kind, target: &Target) -> bool {
        self.names.iter().any(|(own, _, pattern)| *own == kind && pattern.matches(&target.name))
    }

    /// Fails if a name matches no target of any package.
    fn check_names(&self, packages: &[&Package]) -> Result<(), Error> {
        for (kind, name, pattern) in &self.names {
            if !names_of_kind(packages, *kind).iter().any(|candidate| pattern.matches(candidate)) {
                return Err(unknown_target(*kind, name, packages));
            }
        }
        Ok(())
    }
}
