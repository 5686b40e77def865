//! A git repository.

use super::Error;
use super::command::GitCommand;
use std::path::{Path, PathBuf};

/// With `--no-renames`, a moved file counts as two.
const DIFF: [&str; 4] = ["diff", "-z", "--no-renames", "--no-ext-diff"];

/// The repository that contains a folder.
#[derive(Debug)]
pub struct Repository {
    root: PathBuf,
    prefix: PathBuf,
}

/// A commit that the user named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The name as typed: `main`, `HEAD~1`.
    pub name: String,
    /// The full hash.
    pub hash: String,
    /// For a merge base, the other branch.
    pub merge_base_with: Option<String>,
}

/// Settings by which git sees each change of a content, and no other.
const ALL_CHANGES: [&str; 9] = [
    "--no-replace-objects",
    "-c",
    "core.fileMode=false",
    "-c",
    "core.trustctime=true",
    "-c",
    "core.checkStat=default",
    "-c",
    "diff.autoRefreshIndex=true",
];

/// A tracked file that differs from a commit.
#[derive(Debug, PartialEq)]
pub struct FileChange {
    /// The path from the folder by which the repository was found, with slashes.
    pub file: String,
    /// It was added or removed.
    pub is_other_listing: bool,
}

impl Repository {
    /// Finds the repository that contains a folder.
    pub fn find(folder: &Path) -> Result<Repository, Error> {
        let output =
            GitCommand::in_folder(folder).args(&["rev-parse", "--show-toplevel", "--show-prefix"]).output();
        let text = output.map_err(|error| match error {
            Error::Failed { stderr, .. } => Error::NoRepository { folder: folder.to_owned(), stderr },
            error => error,
        })?;
        let mut lines = text.lines();
        let mut path = || PathBuf::from(lines.next().unwrap_or_default());
        Ok(Repository { root: path(), prefix: path() })
    }

    /// Returns the root folder of the working tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of the folder, relative to the root.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// Returns whether this commit is checked out, without changes in tracked files.
    pub fn is_at(&self, commit: &Commit) -> Result<bool, Error> {
        let head = self.git().args(&["rev-parse", "HEAD"]).output_if_any()?;
        let changes = self.git().args(&["status", "--porcelain", "--untracked-files=no"]).output_if_any()?;
        Ok(head.is_some_and(|head| head == commit.hash) && changes.is_none())
    }

    /// Returns the tracked files that differ from the commit of this hash, relative to the root.
    /// A submodule counts as one of them.
    pub fn files_differing_from(&self, commit: &str) -> Result<Vec<PathBuf>, Error> {
        let names = self.git().args(&DIFF).args(&["--name-only", commit, "--"]).output()?;
        Ok(names.split_terminator('\0').map(PathBuf::from).collect())
    }

    /// Returns the tracked files below the folder that differ from the commit of this hash, without
    /// submodules. The hash may come from a file, so it is never taken for an option.
    pub fn own_changes_since(&self, commit: &str) -> Result<Vec<FileChange>, Error> {
        let git =
            self.git().args(&ALL_CHANGES).args(&DIFF).args(&["--name-status", "--ignore-submodules=all"]);
        let text = git.args(&["--end-of-options", commit, "--"]).output()?;
        let items: Vec<&str> = text.split_terminator('\0').collect();
        let change = |item: &[&str]| {
            let &[status, path] = item else { return None };
            let below = Path::new(path).strip_prefix(&self.prefix).ok()?;
            let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
            Some(FileChange { file: names.join("/"), is_other_listing: matches!(status, "A" | "D") })
        };
        Ok(items.chunks(2).filter_map(change).collect())
    }

    /// Returns the address of the remote `origin` as cargo takes it, if other machines can use it.
    pub fn shareable_url(&self) -> Option<String> {
        shareable(&self.git().args(&["config", "--get", "remote.origin.url"]).output().ok()?)
    }

    /// Returns whether git neither tracks a file nor wants to.
    pub fn ignores(&self, file: &Path) -> Result<bool, Error> {
        Ok(self.git().args(&["check-ignore", "--"]).arg(file).output_if_any()?.is_some())
    }

    /// Returns whether the clone lacks older commits.
    pub(super) fn is_shallow(&self) -> bool {
        let output = self.git().args(&["rev-parse", "--is-shallow-repository"]).output_if_any();
        output.is_ok_and(|output| output.as_deref() == Some("true"))
    }

    /// Creates a command that runs in the root, without locks that could interfere with other
    /// commands.
    pub(super) fn git(&self) -> GitCommand {
        GitCommand::in_folder(&self.root).arg("--no-optional-locks")
    }
}

/// Returns an address without a password, and `host:path` as cargo spells it. `None` for a folder.
fn shareable(url: &str) -> Option<String> {
    let (scheme, rest) = match url.split_once("://") {
        Some(parts) => parts,
        None => {
            let (host, path) = url.split_once(':')?;
            // `C:/` is a folder, too.
            return (host.len() > 1 && !host.contains(['/', '\\'])).then(|| format!("ssh://{host}/{path}"));
        }
    };
    let (authority, path) = rest.split_once('/')?;
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    match scheme {
        "file" => None,
        "ssh" if !user.is_empty() => {
            Some(format!("ssh://{}@{host}/{path}", user.split(':').next().unwrap_or(user)))
        }
        _ => Some(format!("{scheme}://{host}/{path}")),
    }
}

impl Commit {
    /// Returns the name with the first digits of the hash, `HEAD (3f2a91c)`, or only these if the name
    /// is the hash.
    pub fn title(&self) -> String {
        let short = self.short();
        if self.hash.starts_with(&self.name) { short.to_owned() } else { format!("{} ({short})", self.name) }
    }

    /// Returns the first seven digits of the hash.
    pub fn short(&self) -> &str {
        self.hash.get(..7).unwrap_or(&self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::shareable;

    #[test]
    fn addresses_are_shared_without_secrets() {
        for (url, expected) in [
            ("https://name:secret@host.example/a/b.git", Some("https://host.example/a/b.git")),
            ("https://host.example/a", Some("https://host.example/a")),
            ("git@host.example:a/b.git", Some("ssh://git@host.example/a/b.git")),
            ("ssh://git:secret@host.example:22/a", Some("ssh://git@host.example:22/a")),
            ("file:///home/a", None),
            ("/home/a:b", None),
            ("../a", None),
            ("C:/a", None),
        ] {
            assert_eq!(shareable(url).as_deref(), expected, "{url}");
        }
    }
}
