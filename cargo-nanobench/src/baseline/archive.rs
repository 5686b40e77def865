//! A baseline as one file: a `tar` of its folder, compressed by gzip, which every system can look into.
//!
//! ```text
//! <name>/baseline.json
//! <name>/executables/<file>
//! ```
//!
//! What is read from such a file may have been written by anyone: its paths are compared with these two shapes and never
//! used as they are, and each executable is checked against the size and the hash that `baseline.json` has of it.

use super::error::At as _;
use super::format::{Fault, FileName};
use super::{
    Baseline, BaselineName, BaselineRef, Error, Executable, Fingerprint, LockedStore, NameError, Store,
};
use crate::environment::Environment;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use nanobench::report::escape;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};
use tar::{Archive, Builder, Entry, EntryType, Header};
use tempfile::NamedTempFile;

/// More than any suite's `baseline.json` has, in bytes: what is larger isn't read into memory.
const MAX_JSON_BYTES: u64 = 1 << 30;

/// A baseline that was written to a file.
#[derive(Debug)]
pub(crate) struct Exported {
    /// Which.
    pub(crate) place: BaselineRef,
    /// How many of its executables are in the file.
    pub(crate) executables: usize,
    /// How many are gone.
    pub(crate) missing: usize,
    /// The file's size, in bytes.
    pub(crate) size: u64,
}

/// A baseline that was read from a file.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The name that it has now.
    pub(crate) name: BaselineName,
    /// What is in it.
    pub(crate) baseline: Baseline,
    /// What had the name before is kept here.
    pub(crate) earlier: Option<BaselineRef>,
}

/// Why a file can't be imported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveFlaw {
    #[error("it is no exported baseline, or was cut short: {}", escape(&.0.to_string()))]
    NotAnArchive(#[from] io::Error),
    #[error("it holds `{}`, which no exported baseline does", escape(.0))]
    UnexpectedEntry(String),
    #[error("what it holds is no baseline: {}", escape(&.0.to_string()))]
    Damaged(serde_json::Error),
    #[error("a later cargo-nanobench wrote it, in a format that this version ({}) doesn't know; update: cargo install cargo-nanobench", env!("CARGO_PKG_VERSION"))]
    NewerFormat,
    #[error("its `{}` isn't what was measured: size or hash differ", escape(&.0.to_string()))]
    ExecutableMismatch(FileName),
    #[error("it has no name that a baseline can have\n{0}\ngive it one: --name NAME")]
    Name(NameError),
    #[error("there is no baseline in it")]
    Empty,
}

impl Store {
    /// Writes a baseline and the executables that it still has to a file, which is there whole or not at all. Only a file
    /// that was exported, too, is replaced.
    pub(crate) fn export(
        &self,
        place: &BaselineRef,
        file: &Path,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Exported, Error> {
        self.known(place)?;
        // So that no run exchanges it meanwhile.
        let _lock = self.lock(interrupted)?;
        let saved = self.load(place)?;
        if file.exists() && !is_exported(file) {
            return Err(Error::NotReplaceable { file: file.to_owned() });
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let refused = |reason| Error::File {
            doing: "write",
            file: file.to_owned(),
            reason,
            advice: "its folder has to be there, writable and with room; or name another file",
        };
        let staged = NamedTempFile::new_in(folder).map_err(without_path).map_err(refused)?;
        let executables = &saved.baseline.executables;
        let kept: Vec<(&Executable, PathBuf)> = executables
            .iter()
            .filter_map(|executable| Some((executable, saved.stored_executable(executable)?)))
            .collect();
        for (_, path) in &kept {
            File::open(path).at("read", path)?;
        }
        write(&saved.baseline, &place.name(), &kept, staged.as_file()).map_err(refused)?;
        let size = staged.as_file().metadata().map_err(refused)?.len();
        open_to_all(staged.path()).map_err(refused)?;
        staged.persist(file).map_err(|error| refused(error.error))?;
        let (kept, all) = (kept.len(), executables.len());
        Ok(Exported { place: place.clone(), executables: kept, missing: all - kept, size })
    }
}

impl LockedStore<'_> {
    /// Reads a file into a baseline of this name, or of its own. What has that name stays as the one before.
    ///
    /// Executables from a machine like this one are run in comparisons; those from another are only where `trusting`.
    pub(crate) fn import(
        &self,
        file: &Path,
        name: Option<&BaselineName>,
        trusting: bool,
    ) -> Result<Imported, Error> {
        let opened = File::open(file).map_err(|reason| Error::File {
            doing: "read",
            file: file.to_owned(),
            reason,
            advice: "name a file that was exported: cargo nanobench baseline export NAME FILE",
        })?;
        let mut archive = Archive::new(GzDecoder::new(BufReader::new(opened)));
        let flawed = |flaw| Error::NotImported { file: file.to_owned(), flaw };
        let mut entries = archive.entries().map_err(|error| flawed(error.into()))?;
        let (own_name, mut baseline) = read_first(entries.next()).map_err(&flawed)?;
        let name = match name {
            Some(name) => name.clone(),
            None => own_name.parse().map_err(|error| flawed(ArchiveFlaw::Name(error)))?,
        };
        let place = BaselineRef::Named(name.clone());
        let target = self.target(&place)?;
        let mut seen = HashSet::new();
        for entry in entries {
            let mut entry = entry.map_err(|error| flawed(error.into()))?;
            let executable = executable(&entry, &own_name, &baseline).map_err(&flawed)?;
            let path = target.executables().join(&executable.file);
            if !seen.insert(executable.file.clone()) {
                return Err(flawed(ArchiveFlaw::UnexpectedEntry(executable.file.to_string())));
            }
            extract(&mut entry, &path, &flawed)?;
            if Fingerprint::from_file(&path).at("read", &path)? != executable.hash {
                return Err(flawed(ArchiveFlaw::ExecutableMismatch(executable.file.clone())));
            }
        }
        drain(archive.into_inner()).map_err(|error| flawed(error.into()))?;
        let here = Environment::this_machine();
        baseline.from_other_machine = !trusting
            && (baseline.from_other_machine || !here.is_same_kind_of_machine(&baseline.environment));
        if self.store.load(&place).is_ok_and(|there| there.baseline == baseline) {
            // It is there already: in its own place as the one before, it would drive out a better one.
            return Ok(Imported { name, baseline, earlier: None });
        }
        let is_kept = self.store.contains(&place) && self.store.before(&place).is_some();
        target.put(&baseline, self)?;
        let earlier = is_kept.then(|| BaselineRef::Earlier(name.clone()));
        Ok(Imported { name, baseline, earlier })
    }
}

/// The archive of a baseline.
fn write(
    baseline: &Baseline,
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
    for (executable, path) in executables {
        let path_within = format!("{name}/{EXECUTABLES}/{}", executable.file);
        archive.append_data(&mut header(executable.size, 0o755), path_within, File::open(path)?)?;
    }
    archive.into_inner()?.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

const JSON: &str = "baseline.json";
const EXECUTABLES: &str = "executables";

/// Whether a file begins as an exported baseline does.
fn is_exported(file: &Path) -> bool {
    let read = || {
        let mut archive = Archive::new(GzDecoder::new(BufReader::new(File::open(file)?)));
        let mut entries = archive.entries()?;
        io::Result::Ok(matches!(read_first(entries.next()), Ok(_) | Err(ArchiveFlaw::NewerFormat)))
    };
    read().unwrap_or(false)
}

/// What an archive begins with: the name that the baseline had, and what is in it.
fn read_first<R: Read>(first: Option<io::Result<Entry<'_, R>>>) -> Result<(String, Baseline), ArchiveFlaw> {
    let entry = first.ok_or(ArchiveFlaw::Empty)??;
    let path = path(&entry)?;
    let Some((name, JSON)) = path.split_once('/') else { return Err(ArchiveFlaw::UnexpectedEntry(path)) };
    if entry.header().entry_type() != EntryType::Regular || entry.size() > MAX_JSON_BYTES {
        return Err(ArchiveFlaw::UnexpectedEntry(path));
    }
    let name = name.to_owned();
    let mut text = Vec::new();
    entry.take(MAX_JSON_BYTES).read_to_end(&mut text)?;
    match Baseline::parse(&text) {
        Ok(baseline) => Ok((name, baseline)),
        Err(Fault::Newer { .. }) => Err(ArchiveFlaw::NewerFormat),
        Err(Fault::Damaged(reason)) => Err(ArchiveFlaw::Damaged(reason)),
    }
}

/// Which of the baseline's executables an entry is.
fn executable<R: Read>(
    entry: &Entry<'_, R>,
    name: &str,
    baseline: &Baseline,
) -> Result<Executable, ArchiveFlaw> {
    let path = path(entry)?;
    let within = path.strip_prefix(name).and_then(|rest| rest.strip_prefix('/'));
    let file = within.and_then(|rest| rest.strip_prefix(EXECUTABLES)).and_then(|rest| rest.strip_prefix('/'));
    let known =
        |executable: &&Executable| file.is_some_and(|file| executable.file.as_ref() == Path::new(file));
    let executable = baseline.executables.iter().find(known);
    match executable.filter(|_| entry.header().entry_type() == EntryType::Regular) {
        None => Err(ArchiveFlaw::UnexpectedEntry(path)),
        Some(executable) if executable.size != entry.size() => {
            Err(ArchiveFlaw::ExecutableMismatch(executable.file.clone()))
        }
        Some(executable) => Ok(executable.clone()),
    }
}

fn path<R: Read>(entry: &Entry<'_, R>) -> Result<String, ArchiveFlaw> {
    let bytes = entry.path_bytes();
    String::from_utf8(bytes.to_vec())
        .map_err(|error| ArchiveFlaw::UnexpectedEntry(String::from_utf8_lossy(error.as_bytes()).into()))
}

/// Writes an executable to a file. What can't be written is no flaw of the archive.
pub(super) fn extract(
    entry: &mut impl Read,
    path: &Path,
    flawed: &dyn Fn(ArchiveFlaw) -> Error,
) -> Result<(), Error> {
    let mut file = File::create_new(path).at("write", path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match entry.read(&mut buffer) {
            Ok(0) => return make_executable(path).at("write", path),
            Ok(read) => file.write_all(&buffer[..read]).at("write", path)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(flawed(error.into())),
        }
    }
}

/// What the operating system said, without the path of a temporary file that nobody has named.
fn without_path(error: io::Error) -> io::Error {
    let said = error.to_string();
    let said = said.rsplit_once(" at path ").map_or(said.as_str(), |(said, _)| said);
    io::Error::new(error.kind(), said)
}

/// Reads what follows the last entry, behind which the checksum of all is.
fn drain(rest: impl Read) -> io::Result<()> {
    const MOST: u64 = 1 << 20;
    match io::copy(&mut rest.take(MOST), &mut io::sink())? {
        MOST => Err(io::Error::other("something long follows the baseline")),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Temporary files are their owner's alone; an artifact may be read by whoever may read its folder.
#[cfg(unix)]
fn open_to_all(path: &Path) -> io::Result<()> {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) -> io::Result<()> {
    Ok(())
}
