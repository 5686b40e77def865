//! Repositories made of fixtures.

use crate::fixture::Fixture;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

    /// Returns the folder that `--against` checks a commit out to.
    pub fn tree_of(&self, commit: &str) -> PathBuf {
        let entries = fs::read_dir(self.cache()).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_of_commit = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&commit[..7]) && !name.ends_with(".used")
        };
        entries.into_iter().find(is_of_commit).expect("the tree of the revision")
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
