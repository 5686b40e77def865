//! A checkout of one commit, separate from the user's working tree.
//!
//! Its `.git` folder holds nothing but the commit and an index, and the path of the repository, which has
//! the rest. Git knows this form from `git worktree`, but nothing is entered in the repository's list
//! of worktrees, so nothing has to be removed from there, whenever a run is interrupted.
//!
//! Nothing is ever reset or cleaned in place: an incomplete tree is deleted and created again. So a
//! wrong path can't affect the user's own files.

use super::command::GitCommand;
use super::{Commit, Error, Repository};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder with the files of a commit.
#[derive(Debug)]
pub struct Worktree<'a> {
    repository: &'a Repository,
    tree: PathBuf,
}

/// A submodule whose commit this clone doesn't have.
#[derive(Debug)]
struct Missing {
    commit: String,
    path: String,
}

/// A repository from which files are checked out, and the working tree that may have its submodules.
#[derive(Debug)]
struct Source {
    folder: PathBuf,
    working_tree: PathBuf,
}

impl<'a> Worktree<'a> {
    /// Creates a worktree in this folder, which may not exist yet. Touches no files.
    pub fn new(repository: &'a Repository, tree: PathBuf) -> Worktree<'a> {
        Worktree { repository, tree }
    }

    /// Checks the commit out with its submodules, unless the tree is complete already. Returns the paths
    /// of submodules that this clone doesn't have.
    pub fn check_out(&self, commit: &Commit) -> Result<Vec<String>, Error> {
        let root = self.repository.root();
        let source = Source { folder: common_folder(root)?, working_tree: root.to_owned() };
        let missing = match self.complete(commit, &source) {
            Some(missing) => missing,
            None => self.create(commit, &source)?,
        };
        Ok(missing.into_iter().map(|missing| missing.path).collect())
    }

    fn create(&self, commit: &Commit, source: &Source) -> Result<Vec<Missing>, Error> {
        let failed = |action| move |error| file_error(action, &self.tree, error);
        // First, so that an interrupted deletion leaves no tree that looks complete.
        ignore_missing(fs::remove_file(self.marker())).map_err(failed("delete"))?;
        ignore_missing(fs::remove_dir_all(&self.tree)).map_err(failed("delete"))?;
        let missing = source.check_out(&commit.hash, &self.tree)?;
        let lines = missing.iter().map(|Missing { commit, path }| format!("\n{commit} {path}"));
        let marker = commit.hash.clone() + &lines.collect::<String>();
        fs::write(self.marker(), marker).map_err(failed("finish"))?;
        Ok(missing)
    }

    /// Returns the missing submodules if the tree was created completely and is unchanged, and if they
    /// are still missing. Cargo may have updated lockfiles.
    fn complete(&self, commit: &Commit, source: &Source) -> Option<Vec<Missing>> {
        let marker = fs::read_to_string(self.marker()).ok()?;
        let mut lines = marker.lines();
        let is_marked = lines.next()? == commit.hash;
        let missing = lines.filter_map(|line| line.split_once(' '));
        let missing: Vec<Missing> = missing
            .map(|(commit, path)| Missing { commit: commit.to_owned(), path: path.to_owned() })
            .collect();
        let diff = self.git().args(&["diff", "--quiet", "--no-ext-diff"]);
        let diff = diff.args(&["--", ".", ":(exclude,glob)**/Cargo.lock"]);
        let is_missing = |Missing { commit, path }: &Missing| {
            let source = source.submodule(&self.tree, path);
            !source.is_some_and(|source| source.has(commit))
        };
        (is_marked && diff.output().is_ok() && missing.iter().all(is_missing)).then_some(missing)
    }

    /// Returns whether git tracks a file, named relative to the root.
    pub fn tracks(&self, file: &Path) -> Result<bool, Error> {
        let listed = self.git().args(&["--literal-pathspecs", "ls-files", "--"]).arg(file).output()?;
        Ok(!listed.is_empty())
    }

    /// The file that is written when the tree is complete: the hash, and the missing submodules.
    fn marker(&self) -> PathBuf {
        self.tree.join(".git").join("nanobench-complete")
    }

    fn git(&self) -> GitCommand {
        GitCommand::in_worktree_root(&self.tree)
    }
}

impl Source {
    /// Writes the files of a commit to a new folder, with its submodules. Returns those that are missing
    /// here.
    fn check_out(&self, commit: &str, tree: &Path) -> Result<Vec<Missing>, Error> {
        let own = tree.join(".git");
        let write = || {
            fs::create_dir_all(&own)?;
            fs::write(own.join("commondir"), self.folder.as_os_str().as_encoded_bytes())?;
            fs::write(own.join("HEAD"), commit)
        };
        write().map_err(|error| file_error("write to", &own, error))?;
        let git = || GitCommand::in_worktree_root(tree);
        git().args(&["read-tree", "-m", "-u", "--no-recurse-submodules", commit]).output()?;
        if !tree.join(".gitmodules").is_file() {
            return Ok(Vec::new());
        }
        let mut missing = Vec::new();
        let listed = git().args(&["ls-files", "--stage", "-z"]).output()?;
        for entry in listed.split_terminator('\0') {
            let Some((of_submodule, path)) = entry.strip_prefix("160000 ").and_then(|it| it.split_once('\t'))
            else {
                continue;
            };
            let commit = of_submodule.split(' ').next().unwrap_or_default();
            match self.submodule(tree, path).filter(|source| source.has(commit)) {
                Some(source) => {
                    let nested = source.check_out(commit, &tree.join(path))?.into_iter();
                    missing.extend(nested.map(|it| Missing { path: format!("{path}/{}", it.path), ..it }));
                }
                None => missing.push(Missing { commit: commit.to_owned(), path: path.to_owned() }),
            }
        }
        Ok(missing)
    }

    /// Finds the repository of a submodule: in the working tree, or where git keeps it while it isn't
    /// checked out.
    fn submodule(&self, tree: &Path, path: &str) -> Option<Source> {
        let working_tree = self.working_tree.join(path);
        let folder = common_folder(&working_tree).ok().or_else(|| {
            let keys = GitCommand::in_worktree_root(tree).args(&["config", "--file", ".gitmodules"]);
            let keys = keys.args(&["--get-regexp", r"^submodule\..*\.path$"]).output().ok()?;
            let name = keys
                .lines()
                .find_map(|line| line.strip_suffix(path)?.strip_prefix("submodule.")?.strip_suffix(".path "));
            Some(self.folder.join("modules").join(name?)).filter(|folder| folder.is_dir())
        });
        Some(Source { folder: folder?, working_tree })
    }

    /// Returns whether it has a commit.
    fn has(&self, commit: &str) -> bool {
        let git = GitCommand::in_folder(&self.folder).args(&["--git-dir=.", "--work-tree=."]);
        git.args(&["cat-file", "-e", &format!("{commit}^{{commit}}")]).output().is_ok()
    }
}

/// Returns the folder of the repository that has this working tree, which linked worktrees share.
fn common_folder(root: &Path) -> Result<PathBuf, Error> {
    let folder = GitCommand::in_worktree_root(root).args(&["rev-parse", "--git-common-dir"]).output()?;
    // It may be relative.
    Ok(root.join(folder))
}

fn file_error(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::File { action, path: path.to_owned(), source }
}

/// Ignores the error of deleting a missing file.
fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}
