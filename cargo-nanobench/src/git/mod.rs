//! Uses git to find a repository, resolve a commit and check it out.

mod command;
mod error;
mod files;
mod repository;
mod resolve;
#[cfg(test)]
mod tests;
mod worktree;

pub(crate) use command::REPOSITORY_VARIABLES;
pub(crate) use error::Error;
pub(crate) use files::{lfs_pointers, overlooked_files, tracked_files, untracked_files};
pub(crate) use repository::{Commit, FileChange, Repository};
pub(crate) use worktree::Worktree;
