//! The reasons why executables have no layouts.

use std::io;
use std::path::PathBuf;

/// The reason why executables have no layouts.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// As in layouts, everything in them is at the same places.
    #[error("both executables are the same")]
    Identical,
    /// There is no file with its link inputs.
    #[error(
        "nothing was kept of how it was linked, by another command, linker or options, or with `#`, `%` or `:` in \
         the path of the temporary folder"
    )]
    NothingKept,
    /// The link inputs belong to another executable of this name.
    #[error("it was linked again by another command, which kept nothing")]
    LinkedAgain,
    /// Somebody changed the link inputs.
    #[error("it was linked with options that layouts can't have")]
    Options,
    #[error(
        "linked again, the {side} differs from its executable{}: something that it is linked with has changed",
        in_function(.function)
    )]
    Differs { side: &'static str, function: String },
    #[error("its link inputs at `{path}` are damaged")]
    Damaged { path: PathBuf },
    #[error("failed to read its link inputs at `{path}`: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("failed to read its functions: {0}")]
    Functions(#[source] io::Error),
    #[error("failed to write the files for linking it: {0}")]
    Files(#[from] io::Error),
    #[error("failed to start the linker `{linker}`: {source}")]
    Start { linker: PathBuf, source: io::Error },
    #[error("the linker failed: {message}")]
    Linker { message: String },
}

fn in_function(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" in {name}") }
}
