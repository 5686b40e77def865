//! Uses git to find a repository, resolve a commit and check it out.

mod command;
mod error;
mod files;
mod repository;
mod resolve;
#[cfg(test)]
mod tests;
mod worktree;

pub use command::REPOSITORY_VARIABLES;
pub use error::Error;
pub use files::{lfs_pointers, overlooked_files, tracked_files, untracked_files};
pub use repository::{Commit, FileChange, Repository};
pub use worktree::Worktree;
