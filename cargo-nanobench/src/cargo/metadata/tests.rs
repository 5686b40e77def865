//! Kept answers of the real cargo, for workspaces in temporary folders.

use super::inputs::Request;
use super::kept::{self, KeptMetadata};
use crate::cargo::CommonOptions;
use cargo_metadata::{Metadata, MetadataCommand};
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A package `a` that depends on `beside`, both without a workspace, and a folder `kept`.
struct Packages {
    root: TempDir,
}

impl Packages {
    fn new() -> Packages {
        let packages = Packages { root: tempfile::tempdir().unwrap() };
        packages.write("a/Cargo.toml", &manifest("a", "[dependencies]\nbeside.path = \"../beside\"\n"));
        packages.write("a/src/lib.rs", "");
        packages.write("a/benches/first.rs", "");
        packages.write("beside/Cargo.toml", &manifest("beside", ""));
        packages.write("beside/src/lib.rs", "");
        packages.write("target/nanobench/lock", "");
        packages
    }

    fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.path(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// The call of cargo for the package `a`, and what decides its answer.
    fn command(&self) -> (Command, Request) {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap());
        command.args(["metadata", "--format-version=1", "--no-deps", "--quiet", "--manifest-path"]);
        command.arg(self.path("a/Cargo.toml")).current_dir(self.path("a"));
        let request = Request::new(&command, &CommonOptions::default()).unwrap();
        (command, request.in_folder(self.path("a"), self.path("home")))
    }

    fn place(&self) -> KeptMetadata {
        KeptMetadata::in_target_directory(&self.path("target"))
    }

    /// Asks cargo, and keeps its answer as if cargo had been started a while later.
    fn keep(&self) -> Metadata {
        let (mut command, request) = self.command();
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let metadata = MetadataCommand::parse(&text).unwrap();
        let start = SystemTime::now() + Duration::from_secs(10);
        self.place().write(&request, &text, &metadata, start);
        metadata
    }

    fn read(&self) -> Option<Metadata> {
        self.place().read(&self.command().1)
    }
}

fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{rest}")
}

/// Expects that an answer is kept, and not used after a change.
#[track_caller]
fn depends_on(packages: &Packages, change: impl FnOnce()) {
    let metadata = packages.keep();
    let kept = packages.read().expect("a kept answer");
    assert_eq!(format!("{kept:?}"), format!("{metadata:?}"));
    change();
    assert!(packages.read().is_none());
}

#[test]
fn an_answer_depends_on_the_names_of_targets() {
    for file in [
        "a/benches/second.rs",
        "a/benches/second/main.rs",
        "a/tests/all.rs",
        "a/examples/some.rs",
        "a/src/main.rs",
        "a/src/bin/tool.rs",
        "a/src/bin/tool/main.rs",
        "a/build.rs",
        "a/README.md",
        "beside/build.rs",
    ] {
        let packages = Packages::new();
        depends_on(&packages, || packages.write(file, ""));
    }
    let packages = Packages::new();
    let name = |name: &str| packages.path("a/benches").join(name);
    depends_on(&packages, || fs::rename(name("first.rs"), name("renamed.rs")).unwrap());
    depends_on(&packages, || fs::remove_file(name("renamed.rs")).unwrap());
}

#[test]
fn an_answer_depends_on_manifests_and_configuration() {
    for (file, text) in [
        ("a/Cargo.toml", manifest("a", "autobenches = false\n")),
        ("beside/Cargo.toml", manifest("beside", "workspace = \"../a\"\n")),
        ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n".to_owned()),
        ("a/.cargo/config.toml", "[build]\ntarget-dir = \"elsewhere\"\n".to_owned()),
        (".cargo/config", "[build]\ntarget-dir = \"elsewhere\"\n".to_owned()),
        ("home/config.toml", "[build]\ntarget-dir = \"elsewhere\"\n".to_owned()),
    ] {
        let packages = Packages::new();
        depends_on(&packages, || packages.write(file, &text));
    }
    let packages = Packages::new();
    packages.write(".cargo/config.toml", "[build]\ntarget-dir = \"one\"\n");
    depends_on(&packages, || packages.write(".cargo/config.toml", "[build]\ntarget-dir = \"two\"\n"));
    // A source outside of the usual folders.
    packages.write("a/other/own.rs", "");
    packages.write("a/Cargo.toml", &manifest("a", "[[bench]]\nname = \"own\"\npath = \"other/own.rs\"\n"));
    depends_on(&packages, || fs::remove_file(packages.path("a/other/own.rs")).unwrap());
}

#[test]
fn an_answer_is_that_to_the_same_request() {
    let packages = Packages::new();
    packages.keep();
    let (mut command, request) = packages.command();
    assert!(packages.place().read(&request).is_some());
    let other = packages.command().1.with_variable("CARGO_BUILD_TARGET_DIR", "elsewhere");
    assert!(packages.place().read(&other).is_none(), "of another environment");
    let elsewhere = packages.command().1.in_folder(packages.path("beside"), packages.path("home"));
    assert!(packages.place().read(&elsewhere).is_none(), "of another folder");
    command.arg("--locked");
    let locked = Request::new(&command, &CommonOptions::default()).unwrap();
    let locked = locked.in_folder(packages.path("a"), packages.path("home"));
    assert!(packages.place().read(&locked).is_none(), "of other flags");
}

#[test]
fn patterns_of_members_and_included_configuration_are_left_to_cargo() {
    for (file, text) in [
        ("Cargo.toml", "[workspace]\nmembers = [\"*\"]\nexclude = [\"kept\", \"home\", \"target\"]\n"),
        (".cargo/config.toml", "include = []\n"),
    ] {
        let packages = Packages::new();
        packages.write(file, text);
        packages.keep();
        assert!(packages.read().is_none(), "{file}");
    }
    let packages = Packages::new();
    packages.write("Cargo.toml", "[workspace]\nmembers = [\"a\", \"beside\"]\n");
    assert_eq!(packages.keep().packages.len(), 2);
    assert!(packages.read().is_some());
    let (command, _) = packages.command();
    let config = CommonOptions { config: vec!["other.toml".to_owned()], ..CommonOptions::default() };
    let script = CommonOptions { manifest_path: Some("one.rs".into()), ..CommonOptions::default() };
    for common in [config, script] {
        assert!(Request::new(&command, &common).is_none(), "{common:?}");
    }
    assert!(Request::new(&Command::new("cargo"), &CommonOptions::default()).is_none(), "any cargo");
}

#[test]
fn the_choice_of_a_toolchain_is_left_to_rustup() {
    let packages = Packages::new();
    let [cargo, rustup] = ["cargo", "rustup"].map(|name| format!("home/bin/{name}{EXE_SUFFIX}"));
    let is_kept = || {
        let command = Command::new(packages.path(&cargo));
        Request::new(&command, &CommonOptions::default()).is_some()
    };
    packages.write(&cargo, "");
    assert!(is_kept(), "a cargo without rustup");
    packages.write(&rustup, "");
    assert!(!is_kept(), "a hard link to rustup");
    #[cfg(unix)]
    {
        fs::rename(packages.path(&rustup), packages.path("home/rustup")).unwrap();
        fs::remove_file(packages.path(&cargo)).unwrap();
        std::os::unix::fs::symlink(packages.path("home/rustup"), packages.path(&cargo)).unwrap();
        assert!(!is_kept(), "a symbolic link to rustup elsewhere");
    }
}

#[test]
fn files_that_are_as_new_as_the_answer_are_not_trusted() {
    let packages = Packages::new();
    let metadata = packages.keep();
    fs::remove_file(packages.path("target/nanobench/metadata")).unwrap();
    let (mut command, request) = packages.command();
    let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
    packages.place().write(&request, &text, &metadata, SystemTime::now());
    assert!(packages.read().is_none());
}

#[test]
fn a_damaged_answer_is_ignored() {
    let packages = Packages::new();
    packages.keep();
    let file = packages.path("target/nanobench/metadata");
    let text = fs::read_to_string(&file).unwrap();
    for damaged in [text.replace("first", "other"), text[..text.len() / 2].to_owned(), String::new()] {
        fs::write(&file, damaged).unwrap();
        assert!(packages.read().is_none());
    }
    fs::write(&file, text).unwrap();
    assert!(packages.read().is_some());
}

#[test]
fn answers_are_looked_for_below_the_roots() {
    let packages = Packages::new();
    let manifest = packages.path("a/Cargo.toml");
    let (_, request) = packages.command();
    let folders = request.without_variables().target_directories(Some(&manifest));
    assert_eq!(folders, [packages.path("a/target")]);
    packages.write("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n");
    let request = packages.command().1.without_variables().with_variable("CARGO_TARGET_DIR", "named");
    let folders = request.target_directories(Some(Path::new("Cargo.toml")));
    assert_eq!(folders, ["a/named", "a/target", "target"].map(|folder| packages.path(folder)));
}

#[test]
fn an_answer_is_kept_only_where_the_next_run_looks() {
    let packages = Packages::new();
    let request = packages.command().1.without_variables();
    let common =
        CommonOptions { manifest_path: Some(packages.path("a/Cargo.toml")), ..CommonOptions::default() };
    packages.write("a/target/nanobench/lock", "");
    packages.write("elsewhere/nanobench/lock", "");
    let is_kept = |given: Option<&str>, directory: &str| {
        let given = given.map(|folder| packages.path(folder));
        let places = kept::places(&request, &common, given.as_deref());
        kept::place_in(&packages.path(directory), &places).is_some()
    };
    assert!(is_kept(None, "a/target"));
    assert!(is_kept(None, "a/src/../target"), "another path of the folder");
    assert!(!is_kept(None, "elsewhere"), "as cargo is configured");
    assert!(is_kept(Some("elsewhere"), "elsewhere"));
    packages.write("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n");
    assert!(is_kept(None, "target"), "of the workspace");
}
