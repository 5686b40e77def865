//! Benchmarks that a run does not build, and how to run them: in targets that the flags leave out,
//! in files that cargo does not build, in other packages, and those of other tools. All of these
//! places are searched only if a run has nothing to do. Other runs search what is cheap to search:
//! files in `benches`, integration tests and examples.

use super::kind::Kind;
use super::manifest::Manifest;
use super::options::CargoOptions;
use super::packages;
use super::runtime::manifest_dir;
use super::targets::Filter;
use super::{Error, Project, TargetOptions, mentions};
use cargo_metadata::{Package, Target};
use nanobench::report::counted;
use std::fmt;
use std::path::{Path, PathBuf};

/// The kinds of targets that have a folder in which cargo looks for them.
const KINDS: [Kind; 4] = [Kind::Bin, Kind::Bench, Kind::Test, Kind::Example];

/// Other tools, for which there is a guide to porting.
const TOOLS: [&str; 2] = ["criterion", "divan"];

/// A place that mentions nanobench, outside of the selected targets, or another tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elsewhere {
    /// A target that the flags leave out.
    Target { package: String, kind: Kind, target: String, path: PathBuf },
    /// A file that would be a target if the manifest didn't keep cargo from searching.
    File {
        package: String,
        kind: Kind,
        target: String,
        path: PathBuf,
        /// The key of the manifest that keeps cargo from searching.
        key: Option<&'static str>,
        /// Another file is the target of this name.
        name_is_taken: bool,
    },
    /// A package that isn't selected.
    Package(String),
    /// A bench target that uses another tool.
    OtherTool { package: String, target: String, path: PathBuf, tool: &'static str },
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
            Self::File { package, kind, target, path, key, name_is_taken } => {
                let (folder, kind) = (folder(*kind).unwrap_or_default(), kind.as_str());
                let is_folder = path.ends_with("main.rs") && target != "main";
                let file = if is_folder { format!("{target}/main.rs") } else { format!("{target}.rs") };
                let name = match name_is_taken {
                    true => format!("another name and path = \"{folder}/{file}\""),
                    false => format!("name = \"{target}\""),
                };
                let add = format!("[[{kind}]] with {name} to its Cargo.toml");
                write!(f, "{folder}/{file} of `{package}` has benchmarks, but isn't a target of cargo: ")?;
                match key {
                    Some(key) => write!(f, "remove `{key} = false`, or add {add}"),
                    None => write!(f, "add {add}"),
                }
            }
            Self::Package(package) => {
                write!(f, "the package `{package}` mentions nanobench: add -p {package}")
            }
            Self::OtherTool { package, target, tool, .. } => {
                write!(f, "bench `{target}` of `{package}` uses {tool}: to port it, see ")?;
                write!(f, "docs/porting-from-{tool}.md of cargo-nanobench")
            }
        }
    }
}

impl Elsewhere {
    /// Returns whether the place is likely to hold a benchmark with this text in its id.
    pub fn may_hold(&self, filter: &str) -> bool {
        match self {
            Self::Target { target, path, .. }
            | Self::File { target, path, .. }
            | Self::OtherTool { target, path, .. } => {
                let name = filter.rsplit("::").next().unwrap_or(filter);
                let name = name.split('/').next().unwrap_or(name);
                let text = std::fs::read_to_string(path).unwrap_or_default();
                target == filter || (!name.is_empty() && text.contains(name))
            }
            Self::Package(package) => filter.split("::").next() == Some(package),
        }
    }
}

/// Returns the places that mention nanobench and that this run doesn't build, and those of other tools.
pub fn elsewhere(project: &Project, args: &CargoOptions) -> Result<Vec<Elsewhere>, Error> {
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
        found.extend(undiscovered(package, &KINDS));
    }
    let is_selected = |member: &&Package| selected.iter().any(|package| package.id == member.id);
    let others = project.members().into_iter().filter(|member| !is_selected(member));
    let mentioning =
        others.filter(|package| package.targets.iter().any(|it| mentions::nanobench_in_code(package, it)));
    found.extend(mentioning.map(|package| Elsewhere::Package(package.name.to_string())));
    found.extend(selected.iter().flat_map(|package| of_other_tools(package)));
    Ok(found)
}

/// Returns whether a target that a plain run builds has benchmarks.
pub fn has_benchmarks(package: &Package) -> bool {
    let is_built =
        |target: &Target| matches!(Kind::from_target(target), Some(Kind::Lib | Kind::Bin | Kind::Bench));
    package.targets.iter().any(|target| is_built(target) && mentions::benchmark(package, target))
}

/// Returns the bench targets of a package that use another tool only.
fn of_other_tools(package: &Package) -> impl Iterator<Item = Elsewhere> {
    let benches = package.targets.iter().filter(|target| Kind::from_target(target) == Some(Kind::Bench));
    benches.filter(|target| !mentions::nanobench_in_code(package, target)).filter_map(|target| {
        let path = target.src_path.clone().into_std_path_buf();
        let source = std::fs::read_to_string(&path).ok()?;
        let code: Vec<&str> = source.lines().filter_map(|line| line.split("//").next()).collect();
        let uses = |tool: &&str| code.iter().any(|line| line.contains(&format!("{tool}::")));
        let tool = TOOLS.into_iter().find(uses)?;
        Some(Elsewhere::OtherTool {
            package: package.name.to_string(),
            target: target.name.clone(),
            path,
            tool,
        })
    })
}

/// Returns a warning about files in `benches` that a build of everything leaves out, if there are
/// any. Their benchmarks are missing without a word from cargo.
pub fn undiscovered_benches(project: &Project, args: &CargoOptions) -> Result<Option<String>, Error> {
    if args.targets != TargetOptions::default() {
        return Ok(None);
    }
    let (selected, _) = packages::select(project, &args.packages)?;
    let mut files = selected.into_iter().flat_map(|package| undiscovered(package, &[Kind::Bench]));
    let Some(first) = files.next() else { return Ok(None) };
    Ok(Some(format!("{first}{}", and_more(files.count(), "file"))))
}

/// Returns a hint about integration tests and examples with benchmarks, which a build of everything
/// leaves out, if there are any.
pub fn other_targets(project: &Project, args: &CargoOptions) -> Result<Option<String>, Error> {
    if args.targets != TargetOptions::default() {
        return Ok(None);
    }
    let (selected, _) = packages::select(project, &args.packages)?;
    let targets = selected.iter().flat_map(|package| package.targets.iter().map(move |it| (package, it)));
    let mut found = targets.filter_map(|(package, target)| {
        let kind = Kind::from_target(target).filter(|kind| matches!(kind, Kind::Test | Kind::Example))?;
        let has_benchmark = mentions::benchmark(package, target);
        let path = target.src_path.clone().into_std_path_buf();
        let (package, target) = (package.name.to_string(), target.name.clone());
        has_benchmark.then_some(Elsewhere::Target { package, kind, target, path })
    });
    let Some(first) = found.next() else { return Ok(None) };
    Ok(Some(format!("{first}{}", and_more(found.count(), "target"))))
}

/// Returns ` (and 2 more files)`, or nothing if the number is 0.
fn and_more(number: usize, thing: &str) -> String {
    if number == 0 { String::new() } else { format!(" (and {})", counted(number, &format!("more {thing}"))) }
}

/// Returns the files with benchmarks that lie where cargo looks for targets of these kinds, but that
/// no target consists of.
fn undiscovered<'a>(package: &'a Package, kinds: &'a [Kind]) -> impl Iterator<Item = Elsewhere> + 'a {
    let root = manifest_dir(package);
    let files = kinds.iter().flat_map(move |&kind| {
        let files = folder(kind).map(|folder| roots(&root.join(folder))).unwrap_or_default();
        files.into_iter().map(move |file| (kind, file))
    });
    files.filter_map(move |(kind, (target, path))| {
        let is_target = package.targets.iter().any(|target| target.src_path.as_std_path() == path);
        let is_module = || package.targets.iter().any(|target| mentions::may_include(package, target, &path));
        if is_target || !mentions::benchmark_in(&path) || is_module() {
            return None;
        }
        let key = Manifest::read(package).key_against_discovery(kind);
        let is_namesake = |other: &Target| Kind::from_target(other) == Some(kind) && other.name == target;
        let name_is_taken = package.targets.iter().any(is_namesake);
        Some(Elsewhere::File { package: package.name.to_string(), kind, target, path, key, name_is_taken })
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
