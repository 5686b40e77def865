//! The working directory and the environment that cargo gives to an executable.
//!
//! They follow "Environment variables Cargo sets for crates" and "Dynamic library paths" in cargo's
//! reference, and the observed behaviour of `cargo bench`.

use super::Project;
use super::compiler::Compiler;
use super::kind::Kind;
use super::messages::BuildMessages;
use cargo_metadata::{Artifact, Package, PackageId};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variable with the folders in which the system looks for dynamic libraries.
pub(super) const LIBRARY_PATH: &str = if cfg!(windows) {
    "PATH"
} else if cfg!(target_os = "macos") {
    "DYLD_FALLBACK_LIBRARY_PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// The start of the names of variables with the paths of programs.
pub(super) const PROGRAM_PREFIX: &str = "CARGO_BIN_EXE_";

/// Returns the package's folder.
pub(super) fn manifest_dir(package: &Package) -> PathBuf {
    package.manifest_path.parent().map(PathBuf::from).unwrap_or_default()
}

/// Returns the variables that cargo sets for an executable of the package.
pub(super) fn environment(
    package: &Package,
    artifact: &Artifact,
    messages: &BuildMessages,
    compiler: &Compiler,
    project: &Project,
) -> Vec<(OsString, OsString)> {
    let mut variables = package_variables(package);
    for script in messages.build_scripts.iter().filter(|script| script.package_id == package.id) {
        variables.extend(script.env.iter().map(|(name, value)| (name.into(), value.into())));
        variables.push(("OUT_DIR".into(), script.out_dir.as_os_str().into()));
    }
    if matches!(Kind::from_target(&artifact.target), Some(Kind::Bench | Kind::Test)) {
        variables.extend(binaries(&package.id, messages));
    }
    if let Some(path) = library_path(compiler, artifact, messages, project) {
        variables.push((LIBRARY_PATH.into(), path));
    }
    variables
}

fn package_variables(package: &Package) -> Vec<(OsString, OsString)> {
    let version = &package.version;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let path = |value: &Option<_>| value.as_ref().map(ToString::to_string).unwrap_or_default();
    [
        ("CARGO_MANIFEST_DIR", manifest_dir(package).display().to_string()),
        ("CARGO_MANIFEST_PATH", package.manifest_path.to_string()),
        ("CARGO_PKG_NAME", package.name.to_string()),
        ("CARGO_PKG_VERSION", version.to_string()),
        ("CARGO_PKG_VERSION_MAJOR", version.major.to_string()),
        ("CARGO_PKG_VERSION_MINOR", version.minor.to_string()),
        ("CARGO_PKG_VERSION_PATCH", version.patch.to_string()),
        ("CARGO_PKG_VERSION_PRE", version.pre.to_string()),
        ("CARGO_PKG_AUTHORS", package.authors.join(":")),
        ("CARGO_PKG_DESCRIPTION", text(&package.description)),
        ("CARGO_PKG_HOMEPAGE", text(&package.homepage)),
        ("CARGO_PKG_REPOSITORY", text(&package.repository)),
        ("CARGO_PKG_LICENSE", text(&package.license)),
        ("CARGO_PKG_LICENSE_FILE", path(&package.license_file)),
        ("CARGO_PKG_README", path(&package.readme)),
        (
            "CARGO_PKG_RUST_VERSION",
            package.rust_version.as_ref().map(ToString::to_string).unwrap_or_default(),
        ),
    ]
    .map(|(name, value)| (name.into(), value.into()))
    .to_vec()
}

/// Returns `CARGO_BIN_EXE_name` of each binary of the package.
fn binaries(package: &PackageId, messages: &BuildMessages) -> impl Iterator<Item = (OsString, OsString)> {
    messages.artifacts.iter().filter_map(move |artifact| {
        let is_binary = artifact.package_id == *package && !artifact.profile.test && artifact.target.is_bin();
        let path = artifact.executable.as_ref().filter(|_| is_binary)?;
        Some((format!("{PROGRAM_PREFIX}{}", artifact.target.name).into(), path.as_os_str().into()))
    })
}

/// Returns the value of [`LIBRARY_PATH`] for an executable. It includes the folders of its build
/// and of build scripts.
fn library_path(
    compiler: &Compiler,
    artifact: &Artifact,
    messages: &BuildMessages,
    project: &Project,
) -> Option<OsString> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for script in &messages.build_scripts {
        let linked = script.linked_paths.iter().map(|path| without_kind(path.as_str()));
        let own = [project.target_directory(), project.build_directory()];
        let is_own = |path: &&Path| own.iter().any(|folder| path.starts_with(folder));
        paths.extend(linked.filter(is_own).map(PathBuf::from));
    }
    if let Some(folder) = artifact.executable.as_ref().and_then(|path| path.parent()) {
        if folder.file_name() == Some("deps") {
            paths.extend(folder.parent().map(PathBuf::from));
        }
        paths.push(folder.into());
    }
    paths.extend(compiler.library_paths.iter().cloned());
    let inherited = std::env::var_os(LIBRARY_PATH).unwrap_or_default();
    paths.extend(std::env::split_paths(&inherited).filter(|path| !path.as_os_str().is_empty()));
    if cfg!(target_os = "macos") && inherited.is_empty() {
        // The system's default for an unset variable.
        paths.extend(std::env::home_dir().map(|home| home.join("lib")));
        paths.extend(["/usr/local/lib", "/usr/lib"].map(PathBuf::from));
    }
    std::env::join_paths(paths).ok()
}

/// Strips the kind from `native=path`.
fn without_kind(linked: &str) -> &Path {
    match linked.split_once('=') {
        Some(("native" | "dependency" | "crate" | "framework" | "all", path)) => Path::new(path),
        _ => Path::new(linked),
    }
}
