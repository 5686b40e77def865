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
use super::{Error, Project, TargetOptions, mentions, suites};
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
pub struct Elsewhere {
    /// The place, and how to run its benchmarks.
    advice: String,
    /// The target, or the package if it isn't selected.
    name: String,
    /// The root file of the target.
    path: Option<PathBuf>,
}

impl fmt::Display for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.advice)
    }
}

impl Elsewhere {
    /// Creates the place of a target that the flags leave out.
    fn target(package: &Package, kind: Kind, target: &Target) -> Elsewhere {
        let (package, kind_name, name) = (&package.name, kind.as_str(), &target.name);
        let advice = match kind {
            Kind::Lib => format!("the library of `{package}` mentions nanobench: add --lib"),
            _ => format!("{kind_name} `{name}` of `{package}` mentions nanobench: add --{kind_name} {name}"),
        };
        Elsewhere { advice, name: name.clone(), path: Some(target.src_path.clone().into()) }
    }

    /// Creates the place of a file that would be the target of this name if the manifest didn't keep
    /// cargo from searching.
    fn file(package: &Package, kind: Kind, name: String, path: PathBuf) -> Elsewhere {
        let (folder, kind_name) = (folder(kind).unwrap_or_default(), kind.as_str());
        let is_folder = path.ends_with("main.rs") && name != "main";
        let file = if is_folder { format!("{folder}/{name}/main.rs") } else { format!("{folder}/{name}.rs") };
        let is_namesake = |other: &Target| Kind::from_target(other) == Some(kind) && other.name == name;
        let entry = match package.targets.iter().any(is_namesake) {
            true => format!("another name and path = \"{file}\""),
            false => format!("name = \"{name}\""),
        };
        let key = Manifest::read(package).key_against_discovery(kind);
        let remove = key.map(|key| format!("remove `{key} = false`, or ")).unwrap_or_default();
        let advice = format!(
            "{file} of `{}` has benchmarks, but isn't a target of cargo: \
             {remove}add [[{kind_name}]] with {entry} to its Cargo.toml",
            package.name
        );
        Elsewhere { advice, name, path: Some(path) }
    }

    /// Creates the place of a package that isn't selected.
    fn package(name: &str) -> Elsewhere {
        let advice = format!("the package `{name}` mentions nanobench: add -p {name}");
        Elsewhere { advice, name: name.to_owned(), path: None }
    }

    /// Returns whether the place is likely to hold a benchmark with this text in its id.
    pub fn may_hold(&self, filter: &str) -> bool {
        let Some(path) = &self.path else { return filter.split("::").next() == Some(&*self.name) };
        let name = filter.rsplit("::").next().unwrap_or(filter);
        let name = name.split('/').next().unwrap_or(name);
        let text = std::fs::read_to_string(path).unwrap_or_default();
        self.name == filter || (!name.is_empty() && text.contains(name))
    }
}

/// Returns the places that mention nanobench and that this run doesn't build, and those of other tools.
pub fn elsewhere(project: &Project, args: &CargoOptions) -> Result<Vec<Elsewhere>, Error> {
    let (selected, _) = packages::select(project, &args.packages)?;
    let filter = Filter::new(&args.targets)?;
    let mut found = Vec::new();
    for package in &selected {
        found.extend(targets_where(package, |kind, target| {
            !filter.selects(kind, target) && mentions::nanobench_in_code(package, target)
        }));
        found.extend(undiscovered(package, &KINDS));
    }
    let is_selected = |member: &&Package| selected.iter().any(|package| package.id == member.id);
    let others = project.members().into_iter().filter(|member| !is_selected(member));
    let mentioning =
        others.filter(|package| package.targets.iter().any(|it| mentions::nanobench_in_code(package, it)));
    found.extend(mentioning.map(|package| Elsewhere::package(&package.name)));
    found.extend(selected.iter().flat_map(|package| of_other_tools(package)));
    Ok(found)
}

fn targets_where(package: &Package, passes: impl Fn(Kind, &Target) -> bool) -> Vec<Elsewhere> {
    let known = package.targets.iter().filter_map(|target| Some((Kind::from_target(target)?, target)));
    let passing = known.filter(|(kind, target)| passes(*kind, target));
    passing.map(|(kind, target)| Elsewhere::target(package, kind, target)).collect()
}

/// Returns whether a target that a plain run builds has benchmarks.
pub fn has_benchmarks(package: &Package) -> bool {
    let is_built =
        |target: &Target| matches!(Kind::from_target(target), Some(Kind::Lib | Kind::Bin | Kind::Bench));
    package.targets.iter().any(|target| is_built(target) && mentions::benchmark(package, target))
}

/// Returns the bench targets of a package that use another tool only.
fn of_other_tools(package: &Package) -> impl Iterator<Item = Elsewhere> {
    let is_foreign = !suites::may_have_some(package);
    let benches = package
        .targets
        .iter()
        .filter(move |target| is_foreign && Kind::from_target(target) == Some(Kind::Bench));
    benches.filter(|target| !mentions::nanobench_in_code(package, target)).filter_map(|target| {
        let path = target.src_path.clone().into_std_path_buf();
        let source = std::fs::read_to_string(&path).ok()?;
        let code: Vec<&str> = source.lines().filter_map(|line| line.split("//").next()).collect();
        let uses = |tool: &&str| code.iter().any(|line| line.contains(&format!("{tool}::")));
        let tool = TOOLS.into_iter().find(uses)?;
        let advice = format!(
            "bench `{}` of `{}` uses {tool}: to run it unchanged, see docs/moving/from-{tool}.md of cargo-nanobench",
            target.name, package.name
        );
        Some(Elsewhere { advice, name: target.name.clone(), path: Some(path) })
    })
}

/// Returns a warning about files in `benches` that a build of everything leaves out, if there are
/// any. Their benchmarks are missing without a word from cargo.
pub fn undiscovered_benches(project: &Project, args: &CargoOptions) -> Result<Option<String>, Error> {
    left_out(project, args, "file", |package| undiscovered(package, &[Kind::Bench]).collect())
}

/// Returns a hint about integration tests and examples with benchmarks, which a build of everything
/// leaves out, if there are any.
pub fn other_targets(project: &Project, args: &CargoOptions) -> Result<Option<String>, Error> {
    left_out(project, args, "target", |package| {
        targets_where(package, |kind, target| {
            matches!(kind, Kind::Test | Kind::Example) && mentions::benchmark(package, target)
        })
    })
}

/// Returns the first of the places that a build of everything leaves out, and the number of the
/// others: `.. (and 2 more files)`.
fn left_out(
    project: &Project,
    args: &CargoOptions,
    thing: &str,
    find: impl Fn(&Package) -> Vec<Elsewhere>,
) -> Result<Option<String>, Error> {
    if args.targets != TargetOptions::default() {
        return Ok(None);
    }
    let (selected, _) = packages::select(project, &args.packages)?;
    let found: Vec<Elsewhere> = selected.into_iter().flat_map(find).collect();
    Ok(found.split_first().map(|(first, others)| match others.len() {
        0 => first.to_string(),
        number => format!("{first} (and {})", counted(number, &format!("more {thing}"))),
    }))
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
        let is_one = !is_target && mentions::benchmark_in(&path) && !is_module();
        is_one.then(|| Elsewhere::file(package, kind, target, path))
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
