//! Export: writes a baseline and its executables to a file.

use super::import::is_exported;
use super::{ArchiveError, EXECUTABLES, Exported, JSON};
use crate::baseline::io_error::IoContext as _;
use crate::baseline::{BaselineRef, Executable, RunRecord, Store};
use crate::new_file;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};

impl Store {
    /// Writes a baseline and its remaining executables to a file, completely or not at all.
    /// Replaces only a file that was exported, too.
    pub fn export(
        &self,
        baseline: &BaselineRef,
        file: &Path,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Exported, ArchiveError> {
        self.require(baseline)?;
        // Prevents a run from replacing it meanwhile.
        let _lock = self.lock(interrupted)?;
        let saved = self.load(baseline)?;
        // A link is followed: `/dev/stdout` itself must not be replaced.
        let target = &file.canonicalize().unwrap_or_else(|_| file.to_owned());
        if target.exists() && !target.is_file() {
            return Err(ArchiveError::NotAFile { file: file.to_owned() });
        }
        if target.exists() && !is_exported(target) {
            return Err(ArchiveError::NotReplaceable { file: target.clone() });
        }
        let folder =
            target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let refused = |reason| ArchiveError::File {
            action: "write",
            file: file.to_owned(),
            reason,
            advice: "create its folder, make it writable or make room there; or name another file",
        };
        let staged = new_file::create_in(folder).map_err(without_path).map_err(refused)?;
        let all = saved.baseline.executables.iter();
        let stored = all.filter_map(|executable| Some((executable, saved.stored_executable(executable)?)));
        let stored: Vec<(&Executable, PathBuf)> = stored.collect();
        for (_, path) in &stored {
            File::open(path).context("read", path)?;
        }
        let mut exported = saved.baseline.clone();
        exported.outside_files_mut().for_each(|file| file.leave(&self.workspace));
        write(&exported, &baseline.name(), &stored, staged.as_file()).map_err(refused)?;
        let size = staged.as_file().metadata().map_err(refused)?.len();
        staged.persist(target).map_err(|error| refused(error.error))?;
        let missing = saved.baseline.executables.len() - stored.len();
        Ok(Exported { baseline: baseline.clone(), executables: stored.len(), missing, size })
    }
}

/// Writes the archive of a baseline.
fn write(
    baseline: &RunRecord,
    name: &str,
    executables: &[(&Executable, PathBuf)],
    file: &File,
) -> io::Result<()> {
    let compressed = GzEncoder::new(BufWriter::new(file), Compression::default());
    let mut archive = Builder::new(compressed);
    let text = baseline.to_json()?;
    let header = |size: u64, mode: u32| {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(size);
        header.set_mode(mode);
        header.set_mtime(u64::try_from(baseline.created.as_second()).unwrap_or_default());
        header
    };
    archive.append_data(&mut header(text.len() as u64, 0o644), format!("{name}/{JSON}"), &text[..])?;
    let mut seen = HashSet::new();
    for (executable, path) in executables {
        for (place, file) in executable.archived() {
            // Only link inputs may be gone. Executables with other inputs may share a file.
            if let Ok(stored) = File::open(file.path(path))
                && stored.metadata()?.len() == file.size
                && seen.insert(place.clone())
            {
                let entry = format!("{name}/{EXECUTABLES}/{place}");
                archive.append_data(&mut header(file.size, 0o755), entry, stored)?;
            }
        }
    }
    archive.into_inner()?.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Removes the path from the error of a temporary file, which the user has not named.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    let text = text.rsplit_once(" at path ").map_or(text.as_str(), |(text, _)| text);
    io::Error::new(error.kind(), text)
}
