//! Benchmarks that a run does not build, and how to run them: in targets that the flags leave out,
//! in files that cargo does not build, and in other packages. They are searched only if a run has
//! nothing to do.

use super::kind::Kind;
use super::manifest::Manifest;
use super::options::CargoOptions;
use super::packages;
use super::runtime::manifest_dir;
use super::targets::Filter;
use super::{Error, Project, mentions};
use cargo_metadata::Package;
use std::fmt;
use std::path::{Path, PathBuf};

/// A place that mentions nanobench, outside of the selected targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Elsewhere {
    /// A target that the flags leave out.
    Target { package: String, kind: Kind, target: String, path: PathBuf },
    /// A file that would be a target if the manifest didn't keep cargo from searching.
    File { package: String, kind: Kind, target: String, path: PathBuf, key: Option<&'static str> },
    /// A package that isn't selected.
    Package(String),
}

impl fmt::Display for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target { package, kind: Kind::Lib, .. } => {
                write!(f, "the library of `{package}` mentions nanobench: add --lib")
            }
            Self::Target { package, kind, target, .. } => {
                let kind = kind.as_str();
                write!(f, "{kind} `{target}` of `{package}` mentions nanobench: add --{kind} {target}")
            }
            Self::File { package, kind, target, path, key } => {
                let (folder, kind) = (folder(*kind).unwrap_or_default(), kind.as_str());
                let is_folder = path.ends_with("main.rs") && target != "main";
                let file = if is_folder { format!("{target}/main.rs") } else { format!("{target}.rs") };
                let add = format!("[[{kind}]] with name = \"{target}\" to its Cargo.toml");
                write!(f, "{folder}/{file} of `{package}` has benchmarks, but isn't a target of cargo: ")?;
                match key {
                    Some(key) => write!(f, "remove `{key} = false`, or add {add}"),
                    None => write!(f, "add {add}"),
                }
            }
            Self::Package(package) => {
                write!(f, "the package `{package}` mentions nanobench: add -p {package}")
            }
        }
    }
}

impl Elsewhere {
    /// Returns whether the place is likely to hold a benchmark with this text in its id.
    pub(crate) fn may_hold(&self, filter: &str) -> bool {
        match self {
            Self::Target { target, path, .. } | Self::File { target, path, .. } => {
                let name = filter.rsplit("::").next().unwrap_or(filter);
                let name = name.split('/').next().unwrap_or(name);
                let text = std::fs::read_to_string(path).unwrap_or_default();
                target == filter || (!name.is_empty() && text.contains(name))
            }
            Self::Package(package) => filter.split("::").next() == Some(package),
        }
    }
}

/// Returns the places that mention nanobench and that this run doesn't build.
pub(crate) fn elsewhere(project: &Project, args: &CargoOptions) -> Result<Vec<Elsewhere>, Error> {
    let (selected, _) = packages::select(project, &args.packages)?;
    let filter = Filter::new(&args.targets)?;
    let mut found = Vec::new();
    for package in &selected {
        for target in &package.targets {
            let Some(kind) = Kind::from_target(target) else { continue };
            if !filter.selects(kind, target) && mentions::nanobench_in_code(package, target) {
                let (package, target, path) = (
                    package.name.to_string(),
                    target.name.clone(),
                    target.src_path.clone().into_std_path_buf(),
                );
                found.push(Elsewhere::Target { package, kind, target, path });
            }
        }
        found.extend(undiscovered(package));
    }
    let is_selected = |member: &&Package| selected.iter().any(|package| package.id == member.id);
    let others = project.members().into_iter().filter(|member| !is_selected(member));
    let mentioning =
        others.filter(|package| package.targets.iter().any(|it| mentions::nanobench_in_code(package, it)));
    found.extend(mentioning.map(|package| Elsewhere::Package(package.name.to_string())));
    Ok(found)
}

/// Returns the files with benchmarks that lie where cargo looks for targets, but aren't targets.
fn undiscovered(package: &Package) -> impl Iterator<Item = Elsewhere> {
    let manifest = Manifest::read(package);
    let root = manifest_dir(package);
    let files = [Kind::Bin, Kind::Bench, Kind::Test, Kind::Example].into_iter().flat_map(move |kind| {
        let files = folder(kind).map(|folder| roots(&root.join(folder))).unwrap_or_default();
        files.into_iter().map(move |file| (kind, file))
    });
    files.filter_map(move |(kind, (target, path))| {
        let is_target = package.targets.iter().any(|target| target.src_path.as_std_path() == path);
        let has_benchmark = || {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            text.contains("#[nanobench")
        };
        if is_target || !has_benchmark() {
            return None;
        }
        let key = manifest.key_against_discovery(kind);
        Some(Elsewhere::File { package: package.name.to_string(), kind, target, path, key })
    })
}

/// Returns the names and root files of the targets that cargo would discover in a folder.
fn roots(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut roots: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.path();
            let name = path.file_stem()?.to_str()?.to_owned();
            let main = path.join("main.rs");
            match path.extension() {
                Some(extension) if extension == "rs" && path.is_file() => Some((name, path)),
                None if main.is_file() => Some((name, main)),
                _ => None,
            }
        })
        .collect();
    roots.sort();
    roots
}

/// Returns the folder in which cargo looks for targets of a kind.
fn folder(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Lib => None,
        Kind::Bin => Some("src/bin"),
        Kind::Bench => Some("benches"),
        Kind::Test => Some("tests"),
        Kind::Example => Some("examples"),
    }
}
