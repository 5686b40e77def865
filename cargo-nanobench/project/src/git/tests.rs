//! Tests on repositories in temporary folders.

use super::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A repository of one file, with the branch `main`.
struct Scratch {
    temp: TempDir,
    top: PathBuf,
}

impl Scratch {
    fn new() -> Scratch {
        let temp = TempDir::new().unwrap();
        let top = temp.path().join("top");
        fs::create_dir(&top).unwrap();
        let scratch = Scratch { temp, top };
        scratch.git("init --quiet --initial-branch main");
        scratch.commit("first");
        scratch
    }

    fn git(&self, arguments: &str) -> String {
        git(&self.top, arguments)
    }

    /// Commits a file that holds this word. Returns the hash.
    fn commit(&self, word: &str) -> String {
        fs::write(self.top.join("file"), word).unwrap();
        self.git("add --all");
        self.git(&format!("commit --quiet --message {word}"));
        self.git("rev-parse HEAD")
    }

    fn repository(&self) -> Repository {
        Repository::find(&self.top).unwrap()
    }

    fn worktree<'a>(&self, repository: &'a Repository) -> Worktree<'a> {
        Worktree::new(repository, self.top.join("target").join("tree"))
    }

    fn tree(&self, file: &str) -> PathBuf {
        self.top.join("target").join("tree").join(file)
    }
}

fn git(folder: &Path, arguments: &str) -> String {
    let mut command = Command::new("git");
    for variable in REPOSITORY_VARIABLES {
        command.env_remove(variable);
    }
    let settings =
        ["user.name=test", "user.email=test@localhost", "commit.gpgsign=false", "protocol.file.allow=always"];
    for setting in settings {
        command.args(["-c", setting]);
    }
    let output = command.args(arguments.split_whitespace()).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "git {arguments}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn name(repository: &Repository, name: &str) -> String {
    repository.commit(name).unwrap().hash
}

#[test]
fn branches_tags_hashes_and_ancestors_are_commits() {
    let scratch = Scratch::new();
    let first = scratch.git("rev-parse HEAD");
    scratch.git("tag --annotate v1 --message v1");
    let second = scratch.commit("second");
    let repository = scratch.repository();
    for (wanted, hash) in [("main", &second), ("HEAD", &second), ("v1", &first), ("HEAD~1", &first)] {
        assert_eq!(name(&repository, wanted), *hash, "{wanted}");
    }
    assert_eq!(name(&repository, &first[..8]), first);
}

#[test]
fn refused_names_are_not_suggested() {
    let scratch = Scratch::new();
    scratch.git("update-ref refs/heads/-main HEAD");
    let text = scratch.repository().commit("-main").unwrap_err().to_string();
    assert!(text.contains("did you mean `main`?"), "{text}");
}

#[test]
fn unknown_revisions_are_errors_with_suggestions() {
    let scratch = Scratch::new();
    scratch.git("branch before-simd");
    let repository = scratch.repository();
    let error = repository.commit("mian").unwrap_err();
    assert!(matches!(error, Error::UnknownRevision { .. }), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("`mian`") && text.contains("did you mean `main`?") && text.contains("git fetch"),
        "{text}"
    );
    let tree = scratch.git("rev-parse HEAD^{tree}");
    for no_commit in ["", "--all", "-h", "HEAD~7", &tree, "0123456789012345678901234567890123456789"] {
        assert!(matches!(repository.commit(no_commit), Err(Error::UnknownRevision { .. })), "{no_commit}");
    }
}

#[test]
fn a_repository_without_commits_says_so() {
    let temp = TempDir::new().unwrap();
    git(temp.path(), "init --quiet --initial-branch main");
    let repository = Repository::find(temp.path()).unwrap();
    for name in ["HEAD", "main", "merge-base"] {
        let error = repository.commit(name).unwrap_err();
        assert!(matches!(error, Error::NoCommits), "{name}: {error}");
    }
}

#[test]
fn the_merge_base_is_the_fork_point_from_the_default_branch() {
    let scratch = Scratch::new();
    let fork = scratch.git("rev-parse HEAD");
    scratch.git("checkout --quiet -b topic");
    scratch.commit("on-topic");
    scratch.git("checkout --quiet main");
    scratch.commit("on-main");
    scratch.git("checkout --quiet topic");
    let base = scratch.repository().commit("merge-base").unwrap();
    assert_eq!((base.hash.as_str(), base.merge_base_with.as_deref()), (fork.as_str(), Some("main")));

    scratch.git("checkout --quiet --orphan apart");
    scratch.commit("apart");
    assert!(matches!(scratch.repository().commit("merge-base"), Err(Error::NoMergeBase { .. })));
    scratch.git("branch --delete --force main");
    assert!(matches!(scratch.repository().commit("merge-base"), Err(Error::NoDefaultBranch { .. })));
}

#[test]
fn the_remote_names_the_default_branch() {
    let origin = Scratch::new();
    origin.git("checkout --quiet -b trunk");
    let fork = origin.commit("trunk");
    git(origin.temp.path(), "clone --quiet top clone");
    let clone = origin.temp.path().join("clone");
    git(&clone, "checkout --quiet -b topic");
    git(&clone, "commit --quiet --allow-empty --message more");
    let base = Repository::find(&clone).unwrap().commit("merge-base").unwrap();
    assert_eq!((base.hash, base.merge_base_with.as_deref()), (fork, Some("origin/trunk")));
}

#[test]
fn a_clone_of_one_branch_does_not_know_the_default_branch() {
    let origin = Scratch::new();
    origin.git("checkout --quiet -b trunk");
    let fork = origin.git("rev-parse HEAD");
    for branch in ["topic", "main"] {
        origin.git(&format!("checkout --quiet -B {branch} {fork}"));
        origin.commit(branch);
    }
    origin.git("checkout --quiet trunk");
    for branch in ["topic", "main"] {
        let clone = origin.temp.path().join(branch);
        git(origin.temp.path(), &format!("clone --quiet --single-branch --branch {branch} top {branch}"));
        let merge_base = || Repository::find(&clone).unwrap().commit("merge-base");
        let error = merge_base().unwrap_err();
        assert!(matches!(error, Error::NoDefaultBranch { .. }), "{branch}: {error}");
        let text = error.to_string();
        for line in ["remote set-branches origin *", "fetch --quiet origin", "remote set-head origin --auto"]
        {
            assert!(text.contains(&line.replace(" --quiet", "").replace('*', "'*'")), "{line}: {text}");
            git(&clone, line);
        }
        assert_eq!(merge_base().unwrap().hash, fork);
        git(&clone, "update-ref -d refs/remotes/origin/trunk");
        assert!(merge_base().is_err(), "the default branch is another than the usual ones");
    }
}

#[test]
fn commits_that_a_shallow_clone_lacks_may_hold_the_merge_base() {
    let origin = Scratch::new();
    origin.git("branch old");
    origin.commit("second");
    let fork = origin.commit("third");
    origin.git("checkout --quiet -b topic");
    for word in ["a", "b", "c"] {
        origin.commit(word);
    }
    origin.git("checkout --quiet old");
    origin.git("commit --quiet --allow-empty --message apart");
    origin.git("checkout --quiet topic");
    origin.git("merge --quiet --strategy ours --message merge old");
    let address = format!("file://{}", origin.top.display());
    let merge_base = |depth: usize| {
        let clone = origin.temp.path().join(depth.to_string());
        let all = format!("clone --quiet --no-single-branch --depth {depth} {address} {depth}");
        git(origin.temp.path(), &all);
        git(&clone, "remote set-head origin main");
        Repository::find(&clone).unwrap().commit("merge-base")
    };
    let error = merge_base(3).unwrap_err();
    assert!(matches!(error, Error::UncertainMergeBase { .. }), "{error}");
    assert!(error.to_string().contains("git fetch --unshallow"), "{error}");
    assert_eq!(merge_base(6).unwrap().hash, fork);
}

#[test]
fn errors_in_a_shallow_clone_say_so() {
    let scratch = Scratch::new();
    scratch.commit("second");
    let origin = format!("file://{}", scratch.top.display());
    git(scratch.temp.path(), &format!("clone --quiet --depth 1 {origin} clone"));
    let clone = Repository::find(&scratch.temp.path().join("clone")).unwrap();
    assert!(clone.is_shallow() && !scratch.repository().is_shallow());
    let text = clone.commit("HEAD~1").unwrap_err().to_string();
    assert!(text.contains("shallow") && text.contains("git fetch --unshallow"), "{text}");
}

#[test]
fn outside_of_a_repository_is_an_error_that_quotes_git() {
    let temp = TempDir::new().unwrap();
    let error = Repository::find(temp.path()).unwrap_err();
    assert!(matches!(error, Error::NoRepository { .. }), "{error}");
    assert!(error.to_string().contains("--against needs a git repository"), "{error}");
}

#[test]
fn a_folder_has_a_prefix() {
    let scratch = Scratch::new();
    let folder = scratch.top.join("a").join("b");
    fs::create_dir_all(&folder).unwrap();
    assert_eq!(Repository::find(&folder).unwrap().prefix(), Path::new("a/b"));
    assert_eq!(scratch.repository().prefix(), Path::new(""));
}

#[test]
fn changes_of_the_checkout_are_seen() {
    let scratch = Scratch::new();
    let repository = scratch.repository();
    let first = repository.commit("HEAD").unwrap();
    assert!(repository.is_at(&first).unwrap());
    fs::write(scratch.top.join("new"), "untracked").unwrap();
    assert!(repository.is_at(&first).unwrap());
    fs::write(scratch.top.join("file"), "changed").unwrap();
    assert!(!repository.is_at(&first).unwrap());
    scratch.commit("second");
    assert!(!repository.is_at(&first).unwrap());
}

#[test]
fn incomplete_trees_are_created_again() {
    let scratch = Scratch::new();
    let repository = scratch.repository();
    let commit = repository.commit("HEAD").unwrap();
    scratch.commit("second");
    let worktree = scratch.worktree(&repository);
    worktree.check_out(&commit).unwrap();
    let text = || fs::read_to_string(scratch.tree("file")).unwrap();
    assert_eq!(text(), "first");

    fs::write(scratch.tree("Cargo.lock"), "what cargo writes").unwrap();
    worktree.check_out(&commit).unwrap();
    assert!(scratch.tree("Cargo.lock").exists(), "it was made again for nothing");

    fs::write(scratch.tree("file"), "edited").unwrap();
    worktree.check_out(&commit).unwrap();
    assert_eq!(text(), "first");

    // Cut short, and the folder without git's own file in it: the repository around it must stay as
    // it is.
    fs::remove_dir_all(scratch.tree(".git")).unwrap();
    fs::write(scratch.tree("file"), "half").unwrap();
    worktree.check_out(&commit).unwrap();
    assert_eq!(text(), "first");
    assert_eq!(fs::read_to_string(scratch.top.join("file")).unwrap(), "second");

    // As `cargo clean` does.
    fs::remove_dir_all(scratch.top.join("target")).unwrap();
    worktree.check_out(&commit).unwrap();
    assert_eq!(text(), "first");

    assert_eq!(scratch.git("worktree list").lines().count(), 1, "git has nothing to forget");
}

#[test]
fn hooks_do_not_run() {
    let scratch = Scratch::new();
    let hook = scratch.top.join(".git").join("hooks").join("post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\ntouch hooked\n").unwrap();
    #[cfg(unix)]
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let repository = scratch.repository();
    scratch.worktree(&repository).check_out(&repository.commit("HEAD").unwrap()).unwrap();
    assert!(!scratch.tree("hooked").exists());
}

#[test]
fn submodules_come_from_this_clone_or_are_named() {
    let (scratch, part, inner) = (Scratch::new(), Scratch::new(), Scratch::new());
    part.git(&format!("submodule --quiet add {} inner", inner.top.display()));
    part.commit("with-inner");
    scratch.git(&format!("submodule --quiet add --name other-name {} part", part.top.display()));
    scratch.git("submodule --quiet update --init --recursive");
    scratch.commit("with-part");
    let repository = scratch.repository();
    let commit = repository.commit("HEAD").unwrap();
    let check_out = || scratch.worktree(&repository).check_out(&commit).unwrap();
    let forget = || fs::remove_dir_all(scratch.tree("")).unwrap();
    let text = |file: &str| fs::read_to_string(scratch.tree(file)).unwrap();
    assert_eq!((check_out(), text("part/inner/file")), (vec![], "first".to_owned()), "checked out");
    assert_eq!(scratch.git("status --porcelain -- part"), "", "nothing is done to the user's");

    scratch.git("submodule --quiet deinit --force part");
    forget();
    assert_eq!((check_out(), text("part/file")), (vec![], "with-inner".to_owned()), "not checked out");

    fs::remove_dir_all(scratch.top.join(".git/modules/other-name/modules")).unwrap();
    forget();
    assert_eq!(check_out(), ["part/inner"], "one is missing");
    fs::remove_dir_all(scratch.top.join(".git/modules")).unwrap();
    forget();
    assert_eq!(check_out(), ["part"]);
    fs::write(scratch.tree("part/kept"), "").unwrap();
    assert_eq!(check_out(), ["part"]);
    assert!(scratch.tree("part/kept").exists(), "it was made again for nothing");
    scratch.git("submodule --quiet update --init");
    assert_eq!(check_out(), ["part/inner"], "now it is here");
}

#[test]
fn differing_files_are_listed() {
    let scratch = Scratch::new();
    let repository = scratch.repository();
    fs::create_dir(scratch.top.join("größe")).unwrap();
    fs::write(scratch.top.join("größe/lib.rs"), "old").unwrap();
    scratch.commit("second");
    let commit = repository.commit("HEAD").unwrap();
    let differing = || repository.files_differing_from(&commit.hash).unwrap();
    assert!(differing().is_empty());
    fs::rename(scratch.top.join("größe/lib.rs"), scratch.top.join("größe/a b.rs")).unwrap();
    scratch.commit("third");
    assert_eq!(differing(), ["file", "größe/a b.rs", "größe/lib.rs"].map(PathBuf::from), "committed");
    fs::remove_file(scratch.top.join("größe/a b.rs")).unwrap();
    let files = ["file", "größe/lib.rs"].map(PathBuf::from);
    assert_eq!(differing(), files, "not committed");
    fs::create_dir(scratch.top.join("part")).unwrap();
    scratch.git(&format!("update-index --add --cacheinfo 160000,{},part", commit.hash));
    assert_eq!(differing().len(), 3, "a submodule");
    let changes = repository.own_changes_since(&commit.hash).unwrap();
    let change = |file: &str, is_other_listing| FileChange { file: file.to_owned(), is_other_listing };
    assert_eq!(changes, [change("file", false), change("größe/lib.rs", true)]);
    assert!(repository.own_changes_since("--output=stolen").is_err());
    assert!(!scratch.top.join("stolen").exists());
}

#[test]
fn tracked_files_are_distinguished_from_others() {
    let scratch = Scratch::new();
    let repository = scratch.repository();
    let worktree = scratch.worktree(&repository);
    worktree.check_out(&repository.commit("main").unwrap()).unwrap();
    fs::write(scratch.tree("Cargo.lock"), "").unwrap();
    let tracks = |file: &str| worktree.tracks(Path::new(file)).unwrap();
    assert_eq!((tracks("file"), tracks("Cargo.lock"), tracks("nothing")), (true, false, false));
}

#[test]
fn files_below_a_folder_are_listed_unless_git_ignores_them() {
    let scratch = Scratch::new();
    let write = |file: &str| {
        let path = scratch.top.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    };
    ["part/a b", "part/größe/c", "part/target/x", "other/c"].iter().for_each(|file| write(file));
    fs::write(scratch.top.join(".gitignore"), "target\n").unwrap();
    scratch.commit("second");
    let others = ["part/0", "part/cache/CACHEDIR.TAG", "part/cache/1", "untracked/d", "ignored/target/e"];
    others.iter().for_each(|file| write(file));
    let tracked = |folder: &str, limit| tracked_files(&scratch.top.join(folder), limit);
    assert_eq!(tracked("part", 10).unwrap(), ["a b", "größe/c"]);
    assert_eq!(tracked("part", 1).unwrap(), ["a b"]);
    assert_eq!(tracked("untracked", 10), None, "no tracked file");
    assert_eq!(tracked_files(scratch.temp.path(), 10), None, "no repository");
    let untracked = |folder: &str| untracked_files(&scratch.top.join(folder));
    assert_eq!(untracked("part").unwrap(), ["0"]);
    write("part/CACHEDIR.TAG");
    assert_eq!(untracked("part").unwrap(), ["0", "CACHEDIR.TAG"], "all of it is no cache");
    assert_eq!(untracked("ignored").unwrap(), [""; 0]);
    assert_eq!(untracked_files(scratch.temp.path()), None, "no repository");
}
