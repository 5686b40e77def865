//! Files of cargo's configuration that apply to the working tree and to every revision of it: those of
//! folders above the working tree, and those in it that git ignores. From a revision's tree, cargo finds
//! only what is above that, and what the revision tracks.

use super::Error;
use crate::git::Repository;
use cargo_config2::Walk;
use std::path::{Path, PathBuf};

/// Returns the folder in which cargo starts for a revision's package, and the files that it doesn't find
/// from there, nearest first. If there are any, these include the revision's own: cargo starts above the
/// tree, as values of `--config` take precedence over files that it finds, and join their lists.
pub(super) fn of_revision(
    repository: &Repository,
    here: &Path,
    package: &Path,
    tree: &Path,
) -> Result<(PathBuf, Vec<PathBuf>), Error> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let root = real(repository.root());
    let found: Vec<PathBuf> = Walk::new(&real(package)).collect();
    let mut of_both = Vec::new();
    for file in Walk::new(&real(here)).filter(|file| !found.contains(file)) {
        let is_of_both = match file.strip_prefix(&root) {
            Ok(relative) => repository.ignores(relative)?,
            Err(_) => true,
        };
        of_both.extend(is_of_both.then_some(file));
    }
    if of_both.is_empty() {
        return Ok((package.to_owned(), of_both));
    }
    let own = Walk::new(package).filter(|file| file.starts_with(tree));
    Ok((super::root(), own.chain(of_both).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    #[test]
    fn cargo_reads_each_file_once_and_the_nearest_first() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let (here, tree) = (top.join("above/here"), top.join("tree"));
        let write = |folder: &Path| {
            fs::create_dir_all(folder.join(".cargo")).unwrap();
            fs::write(folder.join(".cargo/config.toml"), "").unwrap();
            folder.join(".cargo/config.toml")
        };
        let [_, own] = [&here, &tree].map(|folder| write(folder));
        let git = Command::new("git").args(["init", "--quiet"]).current_dir(&here).status();
        assert!(git.unwrap().success());
        let of_revision =
            || super::of_revision(&Repository::find(&here).unwrap(), &here, &tree, &tree).unwrap();
        assert_eq!(of_revision(), (tree.clone(), Vec::new()), "cargo finds everything from the tree");
        let above = write(&top.join("above"));
        let (start, files) = of_revision();
        assert_eq!(files, [own, above]);
        assert!(Walk::new(&start).all(|found| !files.contains(&found)), "lists would be joined twice");
    }
}
