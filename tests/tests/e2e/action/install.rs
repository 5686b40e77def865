//! The script that installs the tool: a release's binary, or a build.

use super::{lacks_programs, run, script};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Writes a program that runs these commands.
fn program(path: &Path, commands: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, format!("#!/bin/sh\n{commands}\n")).expect("a file");
    fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("permissions");
}

/// Runs `action/install` with a cargo that builds nothing. Returns what the tool and that cargo print.
fn install(folder: &Path, reference: &str, releases: &Path) -> String {
    let home = tempfile::tempdir_in(folder).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder_of = |name: &str| home.path().join(name);
    program(&folder_of("built"), "echo built \"$@\"");
    let bin = folder_of(".cargo-nanobench/7/bin");
    let cargo =
        format!("mkdir -p {0}; cp {1} {0}/cargo-nanobench", bin.display(), folder_of("built").display());
    program(&folder_of("stand-in/cargo"), &cargo);
    let path = format!("{}:{}", folder_of("stand-in").display(), std::env::var("PATH").expect("a path"));
    let releases = format!("file://{}", releases.display());
    let text = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    let outputs = home.path().join("outputs");
    let variables = [
        ("GITHUB_ACTION_PATH", text(&root)),
        ("GITHUB_OUTPUT", text(&outputs)),
        ("RUNNER_TEMP", text(home.path())),
        ("KEY", "7".to_owned()),
        ("REF", reference.to_owned()),
        ("RELEASES", releases),
        ("PATH", path),
        ("HOME", text(home.path())),
    ];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    let mut command = script("install", folder, &variables);
    command.env("RUSTUP_HOME", std::env::var_os("RUSTUP_HOME").unwrap_or_else(rustup_home));
    let output = run(command);
    assert!(output.status.success(), "{output:?}");
    let tool = bin.join("cargo-nanobench");
    assert_eq!(fs::read_to_string(outputs).expect("outputs"), format!("tool={}\n", tool.display()));
    String::from_utf8(output.stdout).expect("text")
}

/// Returns where rustup keeps its toolchains if no variable names it.
fn rustup_home() -> OsString {
    Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".rustup").into()
}

#[test]
fn the_action_of_a_release_takes_its_binary_and_any_other_builds_the_tool() {
    if lacks_programs() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let version = env!("CARGO_PKG_VERSION");
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc is there");
    let rustc = String::from_utf8(rustc.stdout).expect("text");
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let name = format!("cargo-nanobench-{version}-{host}");
    let release = folder.path().join(format!("v{version}"));
    program(&release.join(&name).join("cargo-nanobench"), "echo prebuilt \"$@\"");
    let archive = release.join(format!("{name}.tar.gz"));
    let packed = Command::new("tar").arg("-czf").arg(&archive).arg(&name).current_dir(&release).status();
    assert!(packed.expect("tar is there").success());
    let sum = |text: &str| fs::write(release.join(format!("{name}.tar.gz.sha256")), text).expect("a file");
    let mut digest = Command::new("sh");
    digest.args(["-c", "sha256sum \"$0\" || shasum -a 256 \"$0\""]).arg(format!("{name}.tar.gz"));
    let digest = digest.current_dir(&release).output().expect("sh is there");
    sum(&String::from_utf8(digest.stdout).expect("text"));

    let tag = format!("v{version}");
    assert_eq!(install(folder.path(), &tag, folder.path()), "prebuilt nanobench --version\n");
    let built = "built nanobench --version\n";
    assert_eq!(install(folder.path(), "main", folder.path()), built, "a branch has other sources");
    assert_eq!(install(folder.path(), &tag, &folder.path().join("none")), built, "no such release");
    sum(&format!("{}  {name}.tar.gz\n", "0".repeat(64)));
    assert_eq!(install(folder.path(), &tag, folder.path()), built, "the archive is damaged");
}
