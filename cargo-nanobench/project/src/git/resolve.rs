//! Resolves the name of a revision to a commit.

use super::{Commit, Error, Repository};
use crate::suggest;
use std::fs;

/// The name of the merge base of this branch and the default branch.
const MERGE_BASE: &str = "merge-base";

/// The usual names of the default branch, for when the remote doesn't name it.
const DEFAULT_BRANCHES: [&str; 4] =
    ["refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"];

const UNSHALLOW_HINT: &str =
    "this clone is shallow; to get all commits, run `git fetch --unshallow` (in CI, set `fetch-depth: 0`)";
const FETCH_HINT: &str = "to get new revisions, run `git fetch`";
const REMOTE_HINT: &str = "to get the default branch of the remote, run `git remote set-branches origin '*'`, \
                           `git fetch origin` and `git remote set-head origin --auto`";

impl Repository {
    /// Returns the commit of a branch, a tag, a hash, `HEAD~1` or `merge-base`.
    pub fn commit(&self, name: &str) -> Result<Commit, Error> {
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
        let with = self.default_branch()?;
        let base = self.git().args(&["merge-base", "HEAD", &with]).output_if_any()?;
        let is_complete = base.as_ref().map(|base| self.is_complete_since(base, &with)).transpose()?;
        let with = with.trim_start_matches("refs/heads/").trim_start_matches("refs/remotes/").to_owned();
        match base {
            Some(hash) if is_complete == Some(true) => {
                Ok(Commit { name: MERGE_BASE.to_owned(), hash, merge_base_with: Some(with) })
            }
            Some(_) => Err(Error::UncertainMergeBase { with, hints: self.shallow_hint() }),
            None => Err(Error::NoMergeBase { with, hints: self.shallow_hint() }),
        }
    }

    /// Returns the full name of the default branch: that of the remote `origin`, otherwise one of the
    /// usual names. A clone of a single branch may have no other: neither the present branch nor its
    /// upstream says where it began.
    fn default_branch(&self) -> Result<String, Error> {
        let names = |arguments: &[&str]| self.git().args(arguments).output_if_any();
        let mut candidates: Vec<String> =
            names(&["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"])?.into_iter().collect();
        let has_remote = names(&["remote"])?.is_some();
        if candidates.is_empty() {
            candidates.extend(DEFAULT_BRANCHES.map(str::to_owned));
            let own = ["HEAD", "@{upstream}"]
                .map(|name| names(&["rev-parse", "--symbolic-full-name", "--verify", "--quiet", name]));
            for own in own.into_iter().filter(|_| has_remote) {
                let own = own?;
                candidates.retain(|candidate| Some(candidate) != own.as_ref());
            }
        }
        for candidate in candidates {
            if self.hash(&candidate)?.is_some() {
                return Ok(candidate);
            }
        }
        if !self.has_commits() {
            return Err(Error::NoCommits);
        }
        let mut hints = self.shallow_hint();
        hints.extend(has_remote.then(|| REMOTE_HINT.to_owned()));
        hints.push("name a commit or a branch: `cargo nanobench --against BRANCH`".to_owned());
        Err(Error::NoDefaultBranch { hints })
    }

    /// Returns whether the clone has all commits of this branch and the other one since a common one. If
    /// it is shallow, a later common commit may be missing.
    fn is_complete_since(&self, base: &str, with: &str) -> Result<bool, Error> {
        if !self.is_shallow() {
            return Ok(true);
        }
        let file = self.git().args(&["rev-parse", "--git-path", "shallow"]).output()?;
        let without_parents = fs::read_to_string(self.root().join(file)).unwrap_or_default();
        let since = self.git().args(&["rev-list", "HEAD", with, &format!("^{base}")]).output()?;
        Ok(!since.lines().any(|commit| without_parents.lines().any(|other| other == commit)))
    }

    fn shallow_hint(&self) -> Vec<String> {
        if self.is_shallow() { vec![UNSHALLOW_HINT.to_owned()] } else { Vec::new() }
    }
}
