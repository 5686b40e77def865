//! Explains a failed build in which the compiler doesn't find the crate `nanobench` or its attribute:
//! the package has another name, only tests, examples and benches see dev-dependencies, and the
//! attribute has to be imported.

use super::invocation::Invocation;
use super::kind::Kind;
use super::runtime::manifest_dir;
use super::targets::PackageTargets;
use super::{Error, mentions, messages};
use crate::interrupt;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use cargo_metadata::{CompilerMessage, DependencyKind, Package, PackageId, Target};
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The package of the crate.
pub(super) const LIBRARY: &str = "nanobench-core";

/// The reason why a package has no crate `nanobench`, or no attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unresolved {
    /// It doesn't depend on it.
    NoDependency { package: String },
    /// It is a dev-dependency, and this place is not limited to tests.
    OutsideTests { package: String, place: String },
    /// This place is in a build script.
    BuildScript { place: String },
    /// The attribute at this place is not imported.
    NotImported { place: String },
    /// Cargo.toml gives it another name, which this place doesn't tell the attribute.
    Renamed { package: String, name: String, place: String },
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDependency { package } => write!(
                f,
                "`{package}` has no dev-dependency on {LIBRARY}, the package of the crate `nanobench`\n\
                 add it: cargo add --dev {LIBRARY} -p {package} (from a clone: --path DIR/{LIBRARY})\n\
                 or run: cargo nanobench init -p {package}"
            ),
            Self::OutsideTests { package, place } => write!(
                f,
                "{place} uses `nanobench` outside of #[cfg(test)], but it is a dev-dependency of `{package}`\n\
                 only tests, examples and benches see dev-dependencies: put the benchmark into a module with \
                 #[cfg(test)]"
            ),
            Self::BuildScript { place } => write!(
                f,
                "{place} uses `nanobench`, but a build script can't have benchmarks\nmove them to a file in benches/"
            ),
            Self::NotImported { place } => write!(
                f,
                "{place} uses `#[nanobench]`, which its module doesn't import\n\
                 add to the module: use nanobench::nanobench;"
            ),
            Self::Renamed { package, name, place } => write!(
                f,
                "{place} doesn't find `nanobench`, which is `{name}` in Cargo.toml of `{package}`\n\
                 add to the attribute, or to that of a module around it: crate = {name}"
            ),
        }
    }
}

/// Returns the reasons why the build failed, if they are known here. `command` repeats the build
/// with messages for programs: cargo's output for people has no codes and places. It runs only if
/// a reason is likely, and stops at the errors that the user has seen.
pub(super) fn explain(error: Error, invocation: &Invocation<'_>, command: impl FnOnce() -> Command) -> Error {
    let Error::Cargo(code) = error else { return error };
    let suspects: Vec<Suspect<'_>> = invocation.packages().filter_map(Suspect::new).collect();
    if suspects.is_empty() || interrupt::requested() {
        return error;
    }
    let mut command = command();
    command.stderr(Stdio::null());
    let mut errors = messages::compiler_errors(&mut command).unwrap_or_default();
    // The compiler begins with the last of several attributes.
    errors.sort_by_key(|error| place(error).map(|span| (span.file_name.clone(), span.line_start)));
    let mut seen: HashSet<&PackageId> = HashSet::new();
    let reasons: Vec<Unresolved> = errors
        .iter()
        .filter(|error| is_unresolved(&error.message) || is_attribute_not_found(&error.message))
        .filter_map(|error| {
            let suspect = suspects.iter().find(|suspect| suspect.package.id == error.package_id)?;
            let reason = suspect.reason(error)?;
            seen.insert(&suspect.package.id).then_some(reason)
        })
        .collect();
    if reasons.is_empty() { error } else { Error::Unresolved { code, reasons } }
}

/// Returns warnings about benchmarks of libraries and binaries that only this build sees: it
/// compiles them as tests, but `cargo build` would not find the crate.
pub(super) fn warnings(targets: &[PackageTargets<'_>]) -> Vec<String> {
    let places = targets.iter().flat_map(|PackageTargets { package, targets }| {
        let is_seen_by_tests_only = kinds(package) == [DependencyKind::Development];
        targets.iter().filter(move |_| is_seen_by_tests_only).filter_map(move |target| {
            let kind = Kind::from_target(target)?;
            let is_built = matches!(kind, Kind::Lib | Kind::Bin);
            let (path, line) = is_built.then(|| mentions::line_outside_tests(target))??;
            let root = manifest_dir(package);
            Some((package, format!("{}:{line}", path.strip_prefix(&root).unwrap_or(&path).display())))
        })
    });
    let places = places.map(|(package, place)| {
        let package = package.name.to_string();
        format!("{}\n  `cargo build` will fail on that line", Unresolved::OutsideTests { package, place })
    });
    places.map(|text| text.replacen('\n', "\n  ", 1)).collect()
}

/// Returns the kinds of the package's dependencies on the library.
pub(super) fn kinds(package: &Package) -> Vec<DependencyKind> {
    let dependencies = package.dependencies.iter().filter(|dependency| dependency.name == LIBRARY);
    dependencies.map(|dependency| dependency.kind).collect()
}

/// A package that may not see the crate or the attribute.
#[derive(Debug)]
struct Suspect<'a> {
    package: &'a Package,
    kinds: Vec<DependencyKind>,
}

impl<'a> Suspect<'a> {
    fn new(package: &'a Package) -> Option<Self> {
        let suspect = Self { package, kinds: kinds(package) };
        let is_suspect = !suspect.has_dependency()
            || suspect.other_name().is_some()
            || package.targets.iter().any(|target| {
                suspect.hides_crate_from(target) && mentions::nanobench_outside_tests(package, target)
                    || mentions::attribute_without_import(package, target)
            });
        is_suspect.then_some(suspect)
    }

    fn has_dependency(&self) -> bool {
        self.kinds.iter().any(|kind| matches!(kind, DependencyKind::Normal | DependencyKind::Development))
    }

    /// Returns the name that Cargo.toml gives to the crate instead of its own.
    fn other_name(&self) -> Option<String> {
        let dependencies = self.package.dependencies.iter().filter(|dependency| dependency.name == LIBRARY);
        let names: Option<Vec<&String>> = dependencies.map(|dependency| dependency.rename.as_ref()).collect();
        Some(names?.first()?.replace('-', "_"))
    }

    /// Returns whether the target doesn't see dev-dependencies, and the crate is one.
    fn hides_crate_from(&self, target: &Target) -> bool {
        !self.kinds.contains(&DependencyKind::Normal)
            && (target.is_custom_build() || matches!(Kind::from_target(target), Some(Kind::Lib | Kind::Bin)))
    }

    fn reason(&self, error: &CompilerMessage) -> Option<Unresolved> {
        let package = self.package.name.to_string();
        if !self.has_dependency() {
            return Some(Unresolved::NoDependency { package });
        }
        let span = place(error)?;
        let place = format!("{}:{}", span.file_name, span.line_start);
        if let Some(name) = self.other_name().filter(|_| is_unresolved(&error.message)) {
            return Some(Unresolved::Renamed { package, name, place });
        }
        let is_hidden = self.hides_crate_from(&error.target);
        if is_hidden && error.target.is_custom_build() {
            return Some(Unresolved::BuildScript { place });
        }
        if !is_attribute_not_found(&error.message) {
            return is_hidden.then_some(Unresolved::OutsideTests { package, place });
        }
        let is_outside =
            |(file, line): (PathBuf, usize)| span.line_start == line && file.ends_with(&span.file_name);
        Some(match is_hidden && mentions::line_outside_tests(&error.target).is_some_and(is_outside) {
            true => Unresolved::OutsideTests { package, place },
            false => Unresolved::NotImported { place },
        })
    }
}

/// Returns the place of an error.
fn place(error: &CompilerMessage) -> Option<&DiagnosticSpan> {
    error.message.spans.iter().find(|span| span.is_primary)
}

/// Returns whether the compiler didn't find something of this crate.
fn is_unresolved(message: &Diagnostic) -> bool {
    let code = message.code.as_ref().map(|code| code.code.as_str());
    message.level == DiagnosticLevel::Error
        && matches!(code, Some("E0432" | "E0433"))
        && message.message.contains("nanobench")
}

/// Returns whether the compiler found no attribute of this name.
fn is_attribute_not_found(message: &Diagnostic) -> bool {
    message.level == DiagnosticLevel::Error && message.message.contains("cannot find attribute `nanobench`")
}
