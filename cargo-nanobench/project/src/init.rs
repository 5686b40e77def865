//! `cargo nanobench init`: the dev-dependency, and a first benchmark if there is none.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{DependencyKind, Edition, Package};

use crate::cargo::{self, CommonOptions, Project};
use crate::git::Repository;
use crate::output;
use nanobench::report::escape;

/// The package that users depend on.
const LIBRARY: &str = "nanobench-core";
/// The path of the first benchmark in the package's folder.
const BENCH: &str = "benches/first.rs";
const BENCH_TEXT: &str = include_str!("init/first.rs");

/// An error that keeps a package from being set up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Cargo(#[from] cargo::Error),
    #[error("the workspace has several packages: {}\nname one of them: cargo nanobench init -p {}", .names.join(", "), .names[0])]
    WhichPackage { names: Vec<String> },
    #[error("{} does not contain {LIBRARY}\npass the folder of {LIBRARY}, or of the repository that contains it: --path DIR", .dir.display())]
    NotTheLibrary { dir: PathBuf },
    #[error(
        "cargo could not add {LIBRARY}\nto use a copy of its repository, run `cargo nanobench init --path DIR`"
    )]
    Add { code: u8 },
    #[error("cannot print what was done: {source}")]
    Print { source: io::Error },
    #[error("cannot write {}: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Sets up the package of this name: the dependency, and a first benchmark if it has none. Existing
/// dependencies and files stay unchanged. `library`: the folder of a copy to depend on.
pub fn run(common: &CommonOptions, name: Option<&str>, library: Option<&Path>) -> Result<(), Error> {
    let project = Project::load(common, None)?;
    let package = cargo::single_package(&project, name)?
        .ok_or_else(|| Error::WhichPackage { names: cargo::package_names(&project) })?;
    let library = library.map(|dir| library_in(dir, common)).transpose()?;

    let is_written = bench_path(package).exists() || !cargo::has_benchmarks(package);
    let dependency = add_dependency(package, library.as_deref(), common)?;
    let (bench, entry) = match is_written {
        true => (write_bench(package)?, missing_entry(package, common)?),
        false => (format!("`{}` has benchmarks already, and needs no {BENCH}.", package.name), None),
    };
    if !common.quiet {
        let (entry, then) = entry.map_or_else(|| (String::new(), "Next"), |entry| (entry + "\n\n", "Then"));
        let selection = selection(name.map(|_| package), common);
        let suites = other_suites(package, library.as_deref());
        let text = format!("{dependency}\n{bench}\n{suites}{entry}{then}: cargo nanobench{selection}");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        output::print_lines(&lines).map_err(|source| Error::Print { source })?;
    }
    Ok(())
}

/// Returns lines about suites for other libraries, which run if Cargo.toml says so.
fn other_suites(package: &Package, library: Option<&Path>) -> String {
    let entries = cargo::entries_instead(package, library);
    let lines = entries.iter().map(|(other, entry)| {
        format!(
            "`{}` has benchmarks for {other}. They run unchanged with this entry in Cargo.toml in place of {other}:\n\n\
             {entry}\n\n",
            package.name
        )
    });
    lines.collect()
}

/// Returns the folder of the library: `dir`, or its folder in the workspace there.
fn library_in(dir: &Path, common: &CommonOptions) -> Result<PathBuf, Error> {
    let not_there = || Error::NotTheLibrary { dir: dir.to_owned() };
    let manifest = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()).join("Cargo.toml");
    if !manifest.is_file() {
        return Err(not_there());
    }
    let common = CommonOptions { manifest_path: Some(manifest), ..common.clone() };
    let library = Project::load(&common, None)?.member(LIBRARY).map(|package| package.manifest_path.clone());
    Ok(library.as_deref().and_then(|manifest| manifest.parent()).ok_or_else(not_there)?.into())
}

/// Adds the dev-dependency with `cargo add`. Returns a line about it.
fn add_dependency(
    package: &Package,
    library: Option<&Path>,
    common: &CommonOptions,
) -> Result<String, Error> {
    let name = &package.name;
    if let Some(present) = present_dependency(package) {
        return Ok(present);
    }
    let mut command = Command::new(cargo::program());
    command.args(["add", "--quiet", "--dev"]).args(cargo::common_flags(common));
    command.arg("--manifest-path").arg(&package.manifest_path);
    match library {
        Some(folder) => command.arg(LIBRARY).arg("--path").arg(folder),
        // The version with this program's protocol.
        None => command.arg(concat!("nanobench-core@", env!("CARGO_PKG_VERSION"))),
    };
    let status = command.status().map_err(cargo::Error::start(&command))?;
    if !status.success() {
        let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101);
        return Err(Error::Add { code });
    }
    let mut done = format!("Added {LIBRARY} to the dev-dependencies of `{name}`");
    let elsewhere = library.filter(|library| is_elsewhere(library, package));
    if elsewhere.is_some() && make_path_absolute(package, library)? {
        done += ", by its absolute path, which --against needs";
    }
    Ok(done + "." + &elsewhere.map(for_others).unwrap_or_default())
}

/// Returns lines about the dependency if the package has it already.
fn present_dependency(package: &Package) -> Option<String> {
    let name = &package.name;
    let is_usable = |kind| matches!(kind, DependencyKind::Normal | DependencyKind::Development);
    let all = package.dependencies.iter();
    let usable = all.filter(|dependency| dependency.name == LIBRARY && is_usable(dependency.kind));
    let dependency = usable.max_by_key(|dependency| dependency.kind == DependencyKind::Development)?;
    let advice = match dependency.kind {
        DependencyKind::Development => "",
        _ if dependency.optional => {
            ", but only with a feature. Benchmarks always need it: move it to [dev-dependencies]"
        }
        _ => {
            ". Everybody who builds the package compiles it: if only benchmarks use it, move it to \
             [dev-dependencies]"
        }
    };
    let path = dependency.path.as_ref().map(|path| path.as_std_path());
    let elsewhere = path.filter(|library| is_elsewhere(library, package));
    Some(format!(
        "`{name}` already depends on {LIBRARY}{advice}.{}",
        elsewhere.map(for_others).unwrap_or_default()
    ))
}

/// Returns lines with the entry for other machines, which don't have the library at this path.
fn for_others(library: &Path) -> String {
    let url = Repository::find(library).ok().and_then(|clone| clone.shareable_url());
    let url = url.as_deref().map_or_else(|| "<the repository of cargo-nanobench>".to_owned(), escape);
    format!(
        "\nOther machines, such as those of your team and of CI, don't have that path. Before you commit, \
         replace it in the manifest:\n\n{LIBRARY} = {{ git = \"{url}\" }}\n"
    )
}

/// Returns whether the library is outside of the package's git repository.
fn is_elsewhere(library: &Path, package: &Package) -> bool {
    let folder = package.manifest_path.parent().map_or(Path::new("."), |folder| folder.as_std_path());
    // Resolve symbolic links, so that both paths can be compared.
    let plain = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    Repository::find(folder).is_ok_and(|repository| !plain(library).starts_with(plain(repository.root())))
}

/// Makes the path of the library absolute: `cargo add` writes it relative to the package, but the
/// tree of another revision is elsewhere. Returns whether it could.
fn make_path_absolute(package: &Package, library: Option<&Path>) -> Result<bool, Error> {
    let path: PathBuf = package.manifest_path.clone().into();
    let failed = |source| Error::Write { path: path.clone(), source };
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    let Some(full) = library.and_then(Path::to_str).and_then(|library| with_path(&text, library)) else {
        return Ok(false);
    };
    std::fs::write(&path, full).map_err(failed)?;
    Ok(true)
}

/// Returns the manifest as `cargo add` left it, with this path of the library.
fn with_path(manifest: &str, library: &str) -> Option<String> {
    const BEGIN: &str = "path = \"";
    let entry = manifest.rfind(&format!("\n{LIBRARY} = {{"))?;
    let path = entry + manifest[entry..].find(BEGIN)? + BEGIN.len();
    let end = path + manifest[path..].find('"')?;
    // Windows takes both separators.
    let library = library.replace('\\', "/");
    let is_plain = !library.contains('"') && !manifest[entry + 1..end].contains('\n');
    is_plain.then(|| format!("{}{library}{}", &manifest[..path], &manifest[end..]))
}

/// Writes the first benchmark, unless the file exists. Returns a line about it.
fn write_bench(package: &Package) -> Result<String, Error> {
    let path = bench_path(package);
    if path.exists() {
        return Ok(format!("{} already exists and stays unchanged.", shown(&path)));
    }
    let write = || {
        std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
        // Never replace a file that was created meanwhile.
        io::Write::write_all(&mut std::fs::File::create_new(&path)?, bench_text(package.edition).as_bytes())
    };
    match write() {
        Ok(()) => Ok(format!("Wrote {}.", shown(&path))),
        Err(source) => Err(Error::Write { path, source }),
    }
}

/// Returns the next step if the manifest keeps cargo from finding the file by itself.
fn missing_entry(package: &Package, common: &CommonOptions) -> Result<Option<String>, Error> {
    let common =
        CommonOptions { manifest_path: Some(package.manifest_path.clone().into()), ..common.clone() };
    let project = Project::load(&common, None)?;
    let path = bench_path(package);
    let is_target = project
        .member(&package.name)
        .is_some_and(|package| package.targets.iter().any(|target| target.src_path.as_std_path() == path));
    Ok((!is_target).then(|| {
        let manifest = shown(package.manifest_path.as_std_path());
        format!(
            "Next: add this entry to {manifest}. Because of `autobenches` or `[[bench]]` there, cargo doesn't \
             find the file without it.\n\n[[bench]]\nname = \"first\""
        )
    }))
}

fn bench_path(package: &Package) -> PathBuf {
    package.manifest_path.with_file_name(BENCH).into()
}

/// Returns the path relative to the current directory if it is inside, and in full otherwise.
fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(current).unwrap_or(path).display().to_string()
}

/// Returns the first benchmark, formatted for the package's edition.
fn bench_text(edition: Edition) -> String {
    match edition {
        Edition::E2015 | Edition::E2018 | Edition::E2021 => BENCH_TEXT.to_owned(),
        _ => BENCH_TEXT.replace("{nanobench, TimeControl}", "{TimeControl, nanobench}"),
    }
}

/// Returns the flags with which a run selects the same package.
fn selection(named: Option<&Package>, common: &CommonOptions) -> String {
    let spec = named.iter().map(|package| format!(" -p {}", package.name));
    let path = common.manifest_path.iter().map(|path| format!(" --manifest-path {}", path.display()));
    spec.chain(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_library_is_made_absolute() {
        let manifest = |path: &str| {
            format!(
                "[dependencies]\nother = {{ path = \"../other\" }}\n\n[dev-dependencies]\n\
                 nanobench-core = {{ version = \"0.1.0\", path = \"{path}\" }}\nlast = {{ path = \"../last\" }}\n"
            )
        };
        assert_eq!(with_path(&manifest("../../core"), "/full/core"), Some(manifest("/full/core")));
        assert_eq!(with_path(&manifest("../../core"), r"C:\full"), Some(manifest("C:/full")));
        assert_eq!(
            with_path("[dev-dependencies]\nnanobench-core = \"0.1\"\nx = { path = \"x\" }\n", "/a"),
            None
        );
    }

    #[test]
    fn first_benchmarks_are_formatted_for_the_edition() {
        assert!(bench_text(Edition::E2021).contains("use nanobench::{nanobench, TimeControl};"));
        assert!(bench_text(Edition::E2024).contains("use nanobench::{TimeControl, nanobench};"));
    }
}
