//! Repositories made of fixtures.

use crate::fixture::{Fixture, copy_with_times};
use crate::product::folder_of_the_product;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// A build directory with the compiled dependencies of the fixtures.
static DEPENDENCIES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder_of_the_product().with_file_name("fixture-dependencies");
    let fixture = Fixture::of("compare");
    fixture.nanobench("--list").env("CARGO_BUILD_BUILD_DIR", &folder).run().exits(0);
    folder
});

impl Fixture {
    /// Makes the copy a repository with one commit on `main`. Returns the hash of the commit.
    pub fn committed(&self) -> String {
        self.write(".gitignore", "/target\n");
        self.git("init --quiet --initial-branch main");
        self.commit("first")
    }

    /// Commits all files. Returns the hash of the commit.
    pub fn commit(&self, message: &str) -> String {
        self.git("add --all");
        self.git(&format!("commit --quiet --message {message}"));
        self.git("rev-parse HEAD")
    }

    /// Copies compiled dependencies to the folder in which `--against` builds a commit. Without
    /// them, each test would compile nanobench once more.
    pub fn reuse_dependencies_for(&self, commit: &str) {
        let target = self.stored("revisions").join(&commit[..12]).join("target");
        copy_with_times(&DEPENDENCIES, &target)
            .unwrap_or_else(|error| panic!("can't copy to {}: {error}", target.display()));
    }

    /// Runs `git ARGUMENTS` in the copy and returns its output. The arguments are split at spaces.
    #[track_caller]
    pub fn git(&self, arguments: &str) -> String {
        git(&self.path(""), arguments)
    }
}

/// Runs `git ARGUMENTS` in a folder and returns its output. The arguments are split at spaces.
#[track_caller]
pub fn git(folder: &Path, arguments: &str) -> String {
    let settings = [
        "user.name=test",
        "user.email=test@localhost",
        "commit.gpgsign=false",
        // Submodules are cloned from folders here.
        "protocol.file.allow=always",
    ];
    let mut command = Command::new("git");
    for setting in settings {
        command.args(["-c", setting]);
    }
    let output = command.args(arguments.split_whitespace()).current_dir(folder).output().expect("git runs");
    assert!(output.status.success(), "git {arguments}: {output:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
