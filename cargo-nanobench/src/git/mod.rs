//! Everything that is asked of git: which repository, which commit, a worktree of it.

mod call;
mod error;
mod names;
mod repository;
#[cfg(test)]
mod tests;
mod worktree;

pub(crate) use call::REPOSITORY_VARIABLES;
pub(crate) use error::Error;
pub(crate) use repository::{Commit, Repository};
pub(crate) use worktree::Worktree;
