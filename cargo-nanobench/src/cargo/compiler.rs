//! The compiler that cargo uses, and its answers about itself.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A compiler's answers about itself.
#[derive(Debug, Default)]
pub(super) struct Compiler {
    /// The target triple that it runs on. `None` without an answer.
    pub(super) host: Option<String>,
    /// Its folders of dynamic libraries, which proc-macro crates need. Without an answer there are
    /// none, and executables that don't need them still run.
    pub(super) library_paths: Vec<PathBuf>,
}

impl Compiler {
    /// Queries rustc.
    pub(super) fn query(target: Option<&str>) -> Compiler {
        let mut command = Command::new(program());
        command.args(["--print", "host-tuple", "--print", "target-libdir", "--print", "sysroot"]);
        command.args(target.map(|target| format!("--target={target}")));
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
        let text =
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        match text.lines().collect::<Vec<_>>()[..] {
            [host, target_libdir, sysroot] => Compiler {
                host: Some(host.to_owned()),
                library_paths: vec![target_libdir.into(), Path::new(sysroot).join("lib")],
            },
            _ => Compiler::default(),
        }
    }
}

/// Returns `$RUSTC`, or else the `rustc` in `PATH`. If that is rustup's, the result is the compiler
/// that rustup would start, as cargo does it, because rustup takes as long as the compiler's
/// answer.
pub(crate) fn program() -> PathBuf {
    if let Some(rustc) = env::var_os("RUSTC") {
        return rustc.into();
    }
    let beside_cargo = || {
        let (cargo, toolchain) = (env::var_os("CARGO")?, env::var_os("RUSTUP_TOOLCHAIN")?);
        let is_of_rustup = env::var_os("PATH").is_some_and(|folders| is_of_rustup(&folders));
        beside(Path::new(&cargo), Path::new(&toolchain)).filter(|_| is_of_rustup)
    };
    beside_cargo().unwrap_or_else(|| "rustc".into())
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
