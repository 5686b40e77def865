//! Tests of the data files.

use super::*;
use std::fs;
use std::process::Command;

/// A workspace in a folder of a repository, or of none.
struct Workspace(tempfile::TempDir);

impl Workspace {
    fn new() -> Workspace {
        let workspace = Workspace(tempfile::tempdir().unwrap());
        fs::create_dir(workspace.root()).unwrap();
        workspace
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().join("workspace")
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &str) {
        let identity = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"];
        let mut git = Command::new("git");
        let git = git.args(identity).args(arguments.split(' ')).current_dir(self.0.path());
        assert!(git.output().unwrap().status.success(), "{arguments}");
    }

    fn find(&self) -> DataFiles {
        DataFiles::find(&self.root(), &self.root().join("target")).unwrap()
    }

    fn commit(&self) -> DataFiles {
        self.git("add .");
        self.git("commit -q -m more");
        self.find()
    }

    /// Returns the changed files, with `+` before those that were added or removed, and `?` before those
    /// that git doesn't track.
    fn changed_since(&self, before: &DataFiles) -> Vec<String> {
        let changed = self.find().changed_since(before, &self.root()).unwrap().into_iter();
        let marks = |file: &ChangedFile| match (file.is_other_listing, file.is_untracked) {
            (true, true) => "+?",
            (true, false) => "+",
            (false, true) => "?",
            (false, false) => "",
        };
        changed.map(|file| format!("{}{}", marks(&file), file.file)).collect()
    }
}

#[test]
fn sources_and_texts_for_people_are_no_data() {
    let names = ["src/lib.rs", "../Cargo.lock", "part/Cargo.toml", "part/.cargo/config.toml"];
    for path in names.into_iter().chain(["README.md", "a/LICENSE-MIT", ".gitignore"]) {
        assert!(!is_data_file(Path::new(path)), "{path}");
    }
    let may_be_unnamed = |file: &str, is_untracked| {
        ChangedFile { file: file.to_owned(), is_untracked, is_other_listing: false }.may_be_unnamed()
    };
    for path in ["data/steps.txt", "config.toml", "lib.rs.txt", "a.csv", "data/license_plates.csv", "a"] {
        assert!(may_be_unnamed(path, false) && !may_be_unnamed(path, true), "{path}");
    }
    let named = [".cache/steps.txt", "a/.steps", "docs/guide.md", "rustfmt.toml", "a/Makefile"];
    for path in named.into_iter().chain(["clippy.toml", "justfile"]) {
        assert!(is_data_file(Path::new(path)) && !may_be_unnamed(path, false), "{path}");
    }
}

#[test]
fn data_files_of_strangers_are_not_trusted() {
    let workspace = Workspace::new();
    let root = workspace.root();
    workspace.write("../outside", "1");
    let files = |commit: &str, files: &[&str]| {
        let file = |file: &&str| DataFile {
            file: (*file).to_owned(),
            hash: None,
            untracked: false,
            is_added: false,
        };
        DataFiles { commit: Some(commit.to_owned()), files: files.iter().map(file).collect() }
    };
    let hash = "3f2a91c0".repeat(5);
    let changed = |commit: &str, file: &str| {
        let changed = files(&hash, &[]).changed_since(&files(commit, &[file]), &root);
        changed.map(|files| files.len())
    };
    assert_eq!(changed(&hash, "gone"), Some(0));
    for file in ["../outside", "a/../../outside", root.join("outside").to_str().unwrap()] {
        assert_eq!(changed(&hash, file), None, "{file}");
    }
    for hash in ["", "HEAD", "--output=stolen", &hash[1..], &"g".repeat(40)] {
        assert_eq!(changed(hash, "gone"), None, "{hash}");
    }
    let parse = |number: usize| {
        let files = vec![r#"{"file":"a","hash":null}"#; number].join(",");
        serde_json::from_str::<DataFiles>(&format!(r#"{{"commit":null,"files":[{files}]}}"#))
    };
    assert!(parse(MAX_FILES).is_ok() && parse(MAX_FILES + 1).is_err());
}

#[test]
fn data_are_compared_with_those_of_an_earlier_run() {
    if Command::new("git").arg("--version").output().is_err() {
        return; // There is no git on this machine.
    }
    let workspace = Workspace::new();
    let write = |file: &str, text: &str| workspace.write(file, text);
    workspace.git("init -q");
    ["a.txt", "b.txt", "../outside.txt", "lib.rs"].into_iter().for_each(|file| write(file, "1"));
    let first = workspace.commit();
    let changed_since = |before: &DataFiles| workspace.changed_since(before);
    assert_eq!(changed_since(&first), [""; 0]);
    ["b.txt", "../outside.txt", "lib.rs"].into_iter().for_each(|file| write(file, "2"));
    assert_eq!(changed_since(&first), ["b.txt"], "no source, and nothing outside");
    let second = workspace.find();
    assert_eq!(changed_since(&second), [""; 0], "changed before");
    let third = workspace.commit();
    assert_eq!(changed_since(&second), [""; 0], "committed as it was");
    assert_eq!(changed_since(&first), ["b.txt"]);
    write("b.txt", "3");
    fs::remove_file(workspace.root().join("a.txt")).unwrap();
    for before in [&first, &second, &third] {
        assert_eq!(changed_since(before), ["+a.txt", "b.txt"]);
    }
    let fourth = workspace.find();
    write("a.txt", "1");
    write("b.txt", "1");
    assert_eq!(changed_since(&first), [""; 0], "changed back");
    assert_eq!(changed_since(&fourth), ["+a.txt", "b.txt"]);
    write("new", "1");
    write("cache/CACHEDIR.TAG", "");
    write("cache/a", "");
    write("target/b", "");
    for before in [&first, &third] {
        let is_first = before == &first;
        let expected: &[&str] = if is_first { &["+?new"] } else { &["b.txt", "+?new"] };
        assert_eq!(changed_since(before), expected);
    }
    let fifth = workspace.find();
    assert_eq!(changed_since(&fifth), [""; 0]);
    write("new", "2");
    assert_eq!(changed_since(&fifth), ["?new"]);
    write("new", "1");
    workspace.git("add workspace/new");
    assert_eq!(changed_since(&fifth), [""; 0], "git tracks it now");
    assert_eq!(changed_since(&third), ["b.txt", "+new"]);
    write("new", "2");
    workspace.git("add workspace/new");
    workspace.git("commit -q -m more");
    let sixth = workspace.find();
    assert_eq!(changed_since(&fifth), ["new"], "it may have any name now");
    fs::create_dir(workspace.root().join("other")).unwrap();
    workspace.git("init -q workspace/other");
    assert_eq!(changed_since(&sixth), [""; 0], "another repository");
    workspace.git("update-index --skip-worktree workspace/new");
    write("new", "3");
    assert_eq!(changed_since(&sixth), ["+new"], "git was told to overlook it");
    let seventh = workspace.find();
    assert_eq!(changed_since(&seventh), [""; 0]);
    write("new", "4");
    assert_eq!(changed_since(&seventh), ["new"]);
    write("c.txt", "1");
    workspace.git("add workspace/c.txt");
    workspace.git("commit -q -m more");
    assert_eq!(changed_since(&sixth), ["+c.txt", "+new"], "at another commit, too");
    let unknown = DataFiles { commit: Some("3f2a91c0".repeat(5)), ..first };
    assert_eq!(fifth.changed_since(&unknown, &workspace.root()), None, "no commit here");
}

#[test]
fn without_a_commit_all_files_are_compared() {
    let workspace = Workspace::new();
    ["a.txt", "data/b.txt", "target/c.txt", ".hidden/d.txt", ".e"]
        .into_iter()
        .for_each(|file| workspace.write(file, "1"));
    let before = workspace.find();
    assert!(before.commit.is_none() && before.files.len() == 2, "{before:?}");
    workspace.write("data/b.txt", "2");
    workspace.write("c", "1");
    assert_eq!(workspace.changed_since(&before), ["+c", "data/b.txt"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".hidden/d.txt", workspace.root().join("link")).unwrap();
        let before = workspace.find();
        workspace.write(".hidden/d.txt", "2");
        assert_eq!(workspace.changed_since(&before), ["link"]);
    }
    let with_commit = DataFiles { commit: Some("3f2a91c0".repeat(5)), files: Vec::new() };
    assert_eq!(before.changed_since(&with_commit, &workspace.root()), None);
    assert_eq!(with_commit.changed_since(&before, &workspace.root()), None);
    (0..MAX_FILES).for_each(|number| workspace.write(&format!("many/{number}"), ""));
    assert_eq!(DataFiles::find(&workspace.root(), Path::new("target")), None, "too many");
}
