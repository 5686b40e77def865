//! From what a user types to a commit.

use super::{Commit, Error, Repository};
use crate::suggest;

/// What stands for the commit where this branch left the default one.
const MERGE_BASE: &str = "merge-base";

/// Where the default branch is looked for, after what the remote says of itself.
const DEFAULT_BRANCHES: [&str; 4] =
    ["refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"];

const FETCH_ALL: &str = "this clone is shallow, it has only the last commits; the others: git fetch --unshallow (in CI: fetch-depth: 0)";
const FETCH: &str = "what is not here yet: git fetch";

impl Repository {
    /// The commit that a branch, a tag, a hash, `HEAD~1` or `merge-base` stands for.
    pub(crate) fn commit(&self, name: &str) -> Result<Commit, Error> {
        if name == MERGE_BASE {
            return self.merge_base();
        }
        let hash = self.peeled(name)?.ok_or_else(|| self.unknown(name))?;
        Ok(Commit { name: name.to_owned(), hash, with: None })
    }

    /// The hash of the commit that git knows by this name. Nothing that starts with a dash is one.
    fn peeled(&self, name: &str) -> Result<Option<String>, Error> {
        if name.starts_with('-') || name.is_empty() {
            return Ok(None);
        }
        self.git().args(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")]).answer()
    }

    fn unknown(&self, name: &str) -> Error {
        let listed = self.git().args(&["for-each-ref", "--format=%(refname:short)"]).answer();
        let names = listed.ok().flatten().unwrap_or_default();
        let takeable = names.lines().filter(|name| !name.starts_with('-'));
        let mut hints = vec![suggest::hint(name, takeable)];
        hints.push(if self.is_shallow() { FETCH_ALL } else { FETCH }.to_owned());
        Error::Unknown { name: name.to_owned(), hints }
    }

    fn merge_base(&self) -> Result<Commit, Error> {
        let hints = || if self.is_shallow() { vec![FETCH_ALL.to_owned()] } else { Vec::new() };
        let Some(with) = self.default_branch()? else {
            let name_it = "name a commit or a branch: cargo nanobench --against BRANCH".to_owned();
            let hints = hints().into_iter().chain([name_it]).collect();
            return Err(Error::NoDefaultBranch { hints });
        };
        let base = self.git().args(&["merge-base", "HEAD", &with]).answer()?;
        let with = with.trim_start_matches("refs/heads/").trim_start_matches("refs/remotes/").to_owned();
        match base {
            Some(hash) => Ok(Commit { name: MERGE_BASE.to_owned(), hash, with: Some(with) }),
            None => Err(Error::NoMergeBase { with, hints: hints() }),
        }
    }

    /// The default branch, in full: as the remote `origin` says, else by the usual names, else what this branch
    /// follows.
    fn default_branch(&self) -> Result<Option<String>, Error> {
        let said = self.git().args(&["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"]).answer()?;
        for branch in said.iter().map(String::as_str).chain(DEFAULT_BRANCHES) {
            if self.peeled(branch)?.is_some() {
                return Ok(Some(branch.to_owned()));
            }
        }
        self.git().args(&["rev-parse", "--symbolic-full-name", "--verify", "--quiet", "@{upstream}"]).answer()
    }
}
