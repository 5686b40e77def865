//! The errors of changing settings.

use nanobench::report::escape;
use std::io;
use std::path::PathBuf;

/// An error of changing or restoring settings.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot change {}: this needs the rights of an administrator\nrun `sudo cargo nanobench tune --apply`", escape(.key))]
    NotAllowed { key: String },
    #[error("cannot set {} to {}: {source}\nto undo the other changes, run `sudo cargo nanobench tune --restore`", escape(.key), escape(.value))]
    Change { key: String, value: String, source: io::Error },
    #[error("cannot set {} back to {}: {source}\nrun `sudo cargo nanobench tune --restore`", escape(.key), escape(.value))]
    Restore { key: String, value: String, source: io::Error },
    #[error("another run has tuned this machine, and restores it at its end\nwait for it")]
    InUse,
    #[error("cannot {action} {}, which holds the settings from before: {source}", escape(&.path.to_string_lossy()))]
    Record { action: &'static str, path: PathBuf, source: io::Error },
    #[error("{} holds no settings from before: {source}\nset them by hand, then delete the file", escape(&.path.to_string_lossy()))]
    Damaged { path: PathBuf, source: serde_json::Error },
}
