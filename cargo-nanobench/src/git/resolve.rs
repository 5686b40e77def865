//! Resolves the name of a revision to a commit.

use super::{Commit, Error, Repository};
use crate::suggest;

/// The name of the merge base of this branch and the default branch.
const MERGE_BASE: &str = "merge-base";

/// The usual names of the default branch, for when the remote doesn't name it.
const DEFAULT_BRANCHES: [&str; 4] =
    ["refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"];

const UNSHALLOW_HINT: &str =
    "this clone is shallow; to get all commits, run `git fetch --unshallow` (in CI, set `fetch-depth: 0`)";
const FETCH_HINT: &str = "to get new revisions, run `git fetch`";

impl Repository {
    /// Returns the commit of a branch, a tag, a hash, `HEAD~1` or `merge-base`.
    pub(crate) fn commit(&self, name: &str) -> Result<Commit, Error> {
        if name == MERGE_BASE {
            return self.merge_base();
        }
        let hash = self.hash(name)?.ok_or_else(|| self.unknown_revision(name))?;
        Ok(Commit { name: name.to_owned(), hash, merge_base_with: None })
    }

    /// Returns the hash of the commit with this name. A name that starts with a dash would be an
    /// option.
    fn hash(&self, name: &str) -> Result<Option<String>, Error> {
        if name.starts_with('-') || name.is_empty() {
            return Ok(None);
        }
        self.git().args(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")]).output_if_any()
    }

    fn unknown_revision(&self, name: &str) -> Error {
        if !self.has_commits() {
            return Error::NoCommits;
        }
        let listed = self.git().args(&["for-each-ref", "--format=%(refname:short)"]).output_if_any();
        let names = listed.ok().flatten().unwrap_or_default();
        let candidates = names.lines().filter(|name| !name.starts_with('-'));
        let mut hints = vec![suggest::hint(name, candidates)];
        hints.push(if self.is_shallow() { UNSHALLOW_HINT } else { FETCH_HINT }.to_owned());
        Error::UnknownRevision { name: name.to_owned(), hints }
    }

    /// Returns whether there is any commit.
    fn has_commits(&self) -> bool {
        // If git can't tell, their absence is not the reason.
        self.git()
            .args(&["rev-list", "--max-count=1", "--all"])
            .output()
            .map_or(true, |hash| !hash.is_empty())
    }

    fn merge_base(&self) -> Result<Commit, Error> {
        let hints = || if self.is_shallow() { vec![UNSHALLOW_HINT.to_owned()] } else { Vec::new() };
        let Some(with) = self.default_branch()? else {
            if !self.has_commits() {
                return Err(Error::NoCommits);
            }
            let name_it = "name a commit or a branch: `cargo nanobench --against BRANCH`".to_owned();
            let hints = hints().into_iter().chain([name_it]).collect();
            return Err(Error::NoDefaultBranch { hints });
        };
        let base = self.git().args(&["merge-base", "HEAD", &with]).output_if_any()?;
        let with = with.trim_start_matches("refs/heads/").trim_start_matches("refs/remotes/").to_owned();
        match base {
            Some(hash) => Ok(Commit { name: MERGE_BASE.to_owned(), hash, merge_base_with: Some(with) }),
            None => Err(Error::NoMergeBase { with, hints: hints() }),
        }
    }

    /// Returns the full name of the default branch: that of the remote `origin`, otherwise one of
    /// the usual names, otherwise the upstream of this branch.
    fn default_branch(&self) -> Result<Option<String>, Error> {
        let remote =
            self.git().args(&["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"]).output_if_any()?;
        for branch in remote.iter().map(String::as_str).chain(DEFAULT_BRANCHES) {
            if self.hash(branch)?.is_some() {
                return Ok(Some(branch.to_owned()));
            }
        }
        self.git()
            .args(&["rev-parse", "--symbolic-full-name", "--verify", "--quiet", "@{upstream}"])
            .output_if_any()
    }
}
