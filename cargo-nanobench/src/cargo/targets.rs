//! Which targets of the selected packages are built: those that the flags ask for and that mention nanobench.

use std::fmt;

use cargo_metadata::{Package, Target};
use glob::Pattern;

use super::features::Features;
use super::kind::Kind;
use super::packages::pattern;
use super::wanted::Wanted;
use super::{Error, mentions};
use crate::cli;
use crate::suggest;

/// Targets to build, and those that were selected and aren't.
#[derive(Debug)]
pub(super) struct Targets<'a> {
    pub(super) wanted: Vec<Wanted<'a>>,
    pub(super) skipped: Vec<SkippedTarget>,
}

/// A target that was selected, and that holds no benchmark for this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkippedTarget {
    pub(crate) package: String,
    pub(crate) kind: Kind,
    pub(crate) target: String,
    pub(crate) reason: SkipReason,
}

/// Why a target is passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SkipReason {
    /// Not built.
    NoMention,
    /// Not built: it requires these features, which are off.
    FeaturesOff(Vec<String>),
    /// Built, but nothing in it can be run.
    NoBenchmark,
}

impl SkippedTarget {
    pub(super) fn target(package: &Package, target: &Target, kind: Kind, reason: SkipReason) -> Self {
        Self { package: package.name.to_string(), kind, target: target.name.clone(), reason }
    }
}

impl fmt::Display for SkippedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { package, kind, target, reason } = self;
        write!(f, "{} `{target}` of `{package}`: ", kind.as_str())?;
        match reason {
            SkipReason::NoMention => f.write_str("nothing in it mentions nanobench"),
            SkipReason::FeaturesOff(features) => write!(f, "it requires the features: {}", features.join(", ")),
            SkipReason::NoBenchmark => {
                f.write_str("it mentions nanobench, but holds no benchmark; with harness = false it needs nanobench::main!()")
            }
        }
    }
}

/// Selects targets. What is named by its own name is built whatever its required features: cargo says then what is missing.
pub(super) fn select<'a>(
    packages: &[&'a Package],
    flags: &cli::Targets,
    features: &Features<'a>,
) -> Result<Targets<'a>, Error> {
    let filter = Filter::new(flags)?;
    filter.check_names(packages)?;
    let mut targets = Targets { wanted: Vec::new(), skipped: Vec::new() };
    for &package in packages {
        let mut wanted = Wanted { package, targets: Vec::new() };
        for target in &package.targets {
            let Some(kind) = Kind::of(target) else { continue };
            let named = filter.names(kind, target);
            if !named && !filter.takes_all(kind) {
                continue;
            }
            let missing = features.missing(package, target);
            let reason = if !mentions::nanobench(package, target) {
                SkipReason::NoMention
            } else if !named && !missing.is_empty() {
                SkipReason::FeaturesOff(missing)
            } else {
                wanted.targets.push(target);
                continue;
            };
            targets.skipped.push(SkippedTarget::target(package, target, kind, reason));
        }
        if !wanted.targets.is_empty() {
            targets.wanted.push(wanted);
        }
    }
    Ok(targets)
}

/// The flags that select targets.
#[derive(Debug)]
struct Filter {
    kinds: Vec<Kind>,
    names: Vec<(Kind, String, Pattern)>,
}

impl Filter {
    fn new(flags: &cli::Targets) -> Result<Self, Error> {
        let asked = [
            (flags.lib, Kind::Lib),
            (flags.bins, Kind::Bin),
            (flags.benches, Kind::Bench),
            (flags.tests, Kind::Test),
            (flags.examples, Kind::Example),
        ];
        let asked = asked.into_iter().filter(|(given, _)| *given || flags.all_targets);
        let mut filter = Self { kinds: asked.map(|(_, kind)| kind).collect(), names: Vec::new() };
        for (kind, names) in
            [(Kind::Bin, &flags.bin), (Kind::Test, &flags.test), (Kind::Example, &flags.example)]
        {
            for name in names {
                filter.names.push((kind, name.clone(), pattern(name)?));
            }
        }
        if filter.kinds.is_empty() && filter.names.is_empty() {
            filter.kinds = vec![Kind::Lib, Kind::Bin, Kind::Bench];
        }
        Ok(filter)
    }

    fn takes_all(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    fn names(&self, kind: Kind, target: &Target) -> bool {
        self.names.iter().any(|(of, _, pattern)| *of == kind && pattern.matches(&target.name))
    }

    /// Each name must be that of a target of some package.
    fn check_names(&self, packages: &[&Package]) -> Result<(), Error> {
        for (kind, name, pattern) in &self.names {
            let of_kind =
                packages.iter().flat_map(|package| &package.targets).filter(|t| Kind::of(t) == Some(*kind));
            let names: Vec<&str> = of_kind.map(|target| target.name.as_str()).collect();
            if !names.iter().any(|candidate| pattern.matches(candidate)) {
                let hint = suggest::hint(name, names);
                return Err(Error::UnknownTarget { kind: kind.as_str(), name: name.clone(), hint });
            }
        }
        Ok(())
    }
}
