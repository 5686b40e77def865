//! The file that keeps an answer: the hash of what cargo read for it, a line break, and the answer.

use super::super::options::CommonOptions;
use super::inputs::{Inputs, Request};
use crate::regular_file;
use cargo_metadata::{Metadata, MetadataCommand};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::NamedTempFile;

/// The largest file to read or write, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The place of a kept answer.
#[derive(Debug)]
pub(super) struct KeptMetadata {
    file: PathBuf,
}

/// Returns the places where the answer to a request may be kept. Only the answer tells the target
/// directory for certain, so these are in those that are usual.
pub(super) fn places(
    request: &Request,
    common: &CommonOptions,
    target_dir: Option<&Path>,
) -> Vec<KeptMetadata> {
    let folders = match target_dir {
        Some(folder) => vec![folder.to_owned()],
        None => request.target_directories(common.manifest_path.as_deref()),
    };
    folders.iter().map(|folder| KeptMetadata::in_target_directory(folder)).collect()
}

/// Returns the place that is in a target directory. `None` if cargo's configuration names that
/// directory: an answer there would never be found.
pub(super) fn place_in<'a>(target_directory: &Path, places: &'a [KeptMetadata]) -> Option<&'a KeptMetadata> {
    let folder = |place: &KeptMetadata| place.file.parent()?.canonicalize().ok();
    let wanted = folder(&KeptMetadata::in_target_directory(target_directory))?;
    places.iter().find(|place| folder(place).is_some_and(|folder| folder == wanted))
}

impl KeptMetadata {
    pub(super) fn in_target_directory(folder: &Path) -> KeptMetadata {
        KeptMetadata { file: folder.join("nanobench").join("metadata") }
    }

    /// Returns the answer if it is the one to this request, and nothing that it depends on has
    /// changed.
    pub(super) fn read(&self, request: &Request) -> Option<Metadata> {
        let bytes = regular_file::read(&self.file, MAX_BYTES).ok()?;
        let (digest, text) = str::from_utf8(&bytes).ok()?.split_once('\n')?;
        let metadata = MetadataCommand::parse(text).ok()?;
        (Inputs::read(request, text, &metadata).digest()? == digest).then_some(metadata)
    }

    /// Keeps the answer of a cargo that was started at a time, if the folder exists. It is not kept
    /// if something may have changed since cargo read it.
    pub(super) fn write(&self, request: &Request, text: &str, metadata: &Metadata, start: SystemTime) {
        let inputs = Inputs::read(request, text, metadata);
        let (Some(folder), Some(digest)) = (self.file.parent(), inputs.digest()) else { return };
        if text.len() as u64 > MAX_BYTES / 2 || !inputs.is_older_than(start) {
            return;
        }
        let write = || {
            let mut file = NamedTempFile::new_in(folder)?;
            write!(file, "{digest}\n{text}")?;
            file.persist(&self.file)?;
            Ok::<_, io::Error>(())
        };
        // Without it, the next run asks cargo again.
        let _ = write();
    }
}
