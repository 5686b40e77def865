//! The link inputs of a stored executable, from which layouts of it are linked. They are stored
//! beside it, as the same file that was written during the build if the file system has hard links.
//! Everything else works without them, so a failure to store them is none of a run.

use super::format::FileName;
use super::{Fingerprint, layout};
use crate::relink;
use std::path::Path;

/// Stores the link inputs of a built executable beside its copy, and returns their size in bytes.
/// `None` if there are none, or if those are of another executable than the one with this hash.
pub(super) fn store(built: &Path, hash: &Fingerprint, copy: &Path) -> Option<u64> {
    let kept = relink::kept_file(built, hash)?;
    let stored = relink::file_of(copy);
    layout::link_or_copy(&kept, &stored).ok()?;
    stored.metadata().ok().map(|metadata| metadata.len())
}

/// Puts the link inputs of a stored executable beside another copy of it, if there are any.
pub(super) fn share(from: &Path, to: &Path) {
    let _ = layout::link_or_copy(&relink::file_of(from), &relink::file_of(to));
}

/// Returns the place of the link inputs in the folder of executables.
pub(super) fn place(executable: &FileName) -> String {
    relink::file_of(executable.as_ref()).display().to_string()
}
