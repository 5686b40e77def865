//! The compiler that cargo uses, and its answers about itself.

use super::start::Kept;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

/// A compiler's answers about itself.
#[derive(Debug, Default)]
pub(super) struct Compiler {
    /// Its description of itself (`-vV`). `None` without an answer.
    pub(super) description: Option<String>,
    /// The target triple that it runs on.
    pub(super) host: Option<String>,
    /// Its folders of dynamic libraries, which proc-macro crates need. Without an answer there are
    /// none, and executables that don't need them still run.
    pub(super) library_paths: Vec<PathBuf>,
}

impl Compiler {
    /// Queries rustc, or takes its description from this folder, if it was kept there.
    pub(super) fn query(target: Option<&str>, folder: &Path) -> Compiler {
        let of_toolchain = toolchain_program();
        let kept = of_toolchain.as_ref().and_then(|program| kept_description(folder, program));
        let program =
            of_toolchain.unwrap_or_else(|| env::var_os("RUSTC").map_or("rustc".into(), PathBuf::from));
        let description = kept.as_ref().and_then(Kept::read).or_else(|| {
            let description = answer(&program, &["-vV"])?;
            kept.iter().for_each(|kept| kept.write(&description));
            Some(description)
        });
        let field = |text: &str| text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned);
        let host = description.as_deref().and_then(field);
        let library_paths = library_paths_beside(&program, target.or(host.as_deref()))
            .or_else(|| library_paths(&program, target))
            .unwrap_or_default();
        Compiler { description, host, library_paths }
    }
}

/// Returns the place of the description of a toolchain's compiler. As in cargo's own
/// `.rustc_info.json`, the time of the compiler's file tells whether it is still the same; here, that of
/// the folder of its libraries, too. `None` if files of the toolchain are missing.
fn kept_description(folder: &Path, program: &Path) -> Option<Kept> {
    let state = |path: &Path| {
        let metadata = path.metadata().ok()?;
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some((metadata.len(), modified.as_nanos()))
    };
    let libraries = program.parent()?.parent()?.join("lib");
    let compiler = format!("{program:?} {:?} {:?}", state(program)?, state(&libraries)?);
    Some(Kept::new(folder, "compiler", &compiler))
}

/// Returns what the compiler prints, if it succeeds.
fn answer(program: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    let output = command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the folders of dynamic libraries in the toolchain of a compiler whose path is known. That
/// spares starting it, which takes as long as `cargo metadata`.
fn library_paths_beside(program: &Path, target: Option<&str>) -> Option<Vec<PathBuf>> {
    let lib = program.parent()?.parent()?.join("lib");
    let of_target = lib.join("rustlib").join(target?).join("lib");
    of_target.is_dir().then(|| vec![of_target, lib])
}

/// Asks the compiler for its folders of dynamic libraries.
fn library_paths(program: &Path, target: Option<&str>) -> Option<Vec<PathBuf>> {
    let target = target.map(|target| format!("--target={target}"));
    let arguments = ["--print", "target-libdir", "--print", "sysroot"].into_iter();
    let text = answer(program, &arguments.chain(target.as_deref()).collect::<Vec<_>>())?;
    let (of_target, sysroot) = text.trim_end().split_once('\n')?;
    Some(vec![of_target.trim_end().into(), Path::new(sysroot).join("lib")])
}

/// Returns the compiler that rustup would start, as cargo does it, because rustup takes as long as
/// the compiler's answer. `None` if `$RUSTC` is set, or the `rustc` in `PATH` is not rustup's.
fn toolchain_program() -> Option<PathBuf> {
    let (cargo, toolchain) = (env::var_os("CARGO")?, env::var_os("RUSTUP_TOOLCHAIN")?);
    let is_of_rustup = env::var_os("PATH").is_some_and(|folders| is_of_rustup(&folders));
    let is_used = is_of_rustup && env::var_os("RUSTC").is_none();
    beside(Path::new(&cargo), Path::new(&toolchain)).filter(|_| is_used)
}

/// Returns whether the first `rustc` in these folders is a link to rustup.
fn is_of_rustup(folders: &OsStr) -> bool {
    let rustc = env::split_paths(folders).map(|folder| rustc_in(&folder)).find(|file| file.is_file());
    let target = rustc.and_then(|rustc| rustc.canonicalize().ok());
    target.is_some_and(|target| target.file_stem() == Some(OsStr::new("rustup")))
}

/// Returns the compiler in the folder of `cargo`, if that is the folder of the toolchain, which is
/// a name or a path. A toolchain without a cargo of its own is used with that of another one.
fn beside(cargo: &Path, toolchain: &Path) -> Option<PathBuf> {
    let bin = cargo.parent()?;
    let rustc = rustc_in(bin);
    (bin.parent()?.ends_with(toolchain) && rustc.is_file()).then_some(rustc)
}

fn rustc_in(folder: &Path) -> PathBuf {
    folder.join("rustc").with_extension(env::consts::EXE_EXTENSION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_toolchain_has_its_libraries_beside_its_compiler() {
        let root = tempfile::tempdir().unwrap();
        let stable = toolchain(root.path(), "stable");
        let rustc = rustc_in(&stable.join("bin"));
        assert_eq!(library_paths_beside(&rustc, Some("here")), None, "not installed");
        let (lib, of_target) = (stable.join("lib"), stable.join("lib/rustlib/here/lib"));
        fs::create_dir_all(&of_target).unwrap();
        assert_eq!(library_paths_beside(&rustc, Some("here")), Some(vec![of_target, lib]));
        assert_eq!(library_paths_beside(&rustc, None), None);
        assert_eq!(library_paths_beside(Path::new("rustc"), Some("here")), None, "of an unknown place");
    }

    /// The compiler itself says the same about the toolchain that runs the tests.
    #[test]
    fn the_libraries_of_this_toolchain_are_those_that_the_compiler_names() {
        let sysroot = answer(Path::new("rustc"), &["--print", "sysroot"]).unwrap();
        let rustc = rustc_in(&Path::new(sysroot.trim_end()).join("bin"));
        let Compiler { host, .. } = Compiler::query(None, Path::new("none"));
        let beside = library_paths_beside(&rustc, host.as_deref());
        assert_eq!(beside, library_paths(&rustc, None));
        assert!(beside.is_some());
    }

    #[test]
    fn a_description_is_that_of_the_same_compiler() {
        let root = tempfile::tempdir().unwrap();
        let stable = toolchain(root.path(), "stable");
        let rustc = rustc_in(&stable.join("bin"));
        let place = || kept_description(root.path(), &rustc);
        assert!(place().is_none(), "without libraries");
        fs::create_dir(stable.join("lib")).unwrap();
        place().unwrap().write("rustc 1.2.3\nhost: here\n");
        assert_eq!(place().unwrap().read().as_deref(), Some("rustc 1.2.3\nhost: here\n"));
        let other = rustc_in(&toolchain(root.path(), "other").join("bin"));
        fs::create_dir(root.path().join("other/lib")).unwrap();
        assert_eq!(kept_description(root.path(), &other).unwrap().read(), None, "of another compiler");
        fs::write(&rustc, "12").unwrap();
        assert_eq!(place().unwrap().read(), None, "of an earlier compiler");
    }

    // Windows opens no folders.
    #[cfg(unix)]
    #[test]
    fn a_description_is_that_of_the_same_libraries() {
        let root = tempfile::tempdir().unwrap();
        let stable = toolchain(root.path(), "stable");
        fs::create_dir(stable.join("lib")).unwrap();
        let place = || kept_description(root.path(), &rustc_in(&stable.join("bin"))).unwrap();
        place().write("rustc 1.2.3\n");
        assert!(place().read().is_some());
        let libraries = fs::File::open(stable.join("lib")).unwrap();
        let time = libraries.metadata().unwrap().modified().unwrap();
        libraries.set_modified(time + std::time::Duration::from_secs(1)).unwrap();
        assert_eq!(place().read(), None);
    }

    /// Creates a toolchain with a compiler.
    fn toolchain(root: &Path, name: &str) -> PathBuf {
        let folder = root.join(name);
        fs::create_dir_all(folder.join("bin")).unwrap();
        fs::write(rustc_in(&folder.join("bin")), "").unwrap();
        folder
    }

    #[test]
    fn the_compiler_of_the_toolchain_is_beside_its_cargo() {
        let root = tempfile::tempdir().unwrap();
        let stable = toolchain(root.path(), "stable");
        let cargo = stable.join("bin/cargo");
        assert_eq!(beside(&cargo, Path::new("stable")), Some(rustc_in(&stable.join("bin"))));
        assert_eq!(beside(&cargo, &stable), Some(rustc_in(&stable.join("bin"))));
        assert_eq!(beside(&cargo, Path::new("linked")), None, "a toolchain that borrows this cargo");
        fs::remove_file(rustc_in(&stable.join("bin"))).unwrap();
        assert_eq!(beside(&cargo, Path::new("stable")), None, "a toolchain without a compiler");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_first_compiler_counts() {
        let root = tempfile::tempdir().unwrap();
        let system = toolchain(root.path(), "system").join("bin");
        let links = root.path().join("links");
        fs::create_dir(&links).unwrap();
        fs::write(links.join("rustup"), "").unwrap();
        std::os::unix::fs::symlink("rustup", links.join("rustc")).unwrap();
        let is_of_rustup = |folders: [&Path; 2]| is_of_rustup(&env::join_paths(folders).unwrap());
        assert!(is_of_rustup([&links, &system]));
        assert!(!is_of_rustup([&system, &links]));
        assert!(is_of_rustup([root.path(), &links]), "a folder without a compiler");
    }
}
