//! Export and import: a baseline as one file, a `tar` of its folder compressed by gzip. This is the
//! part of [`Store`] and [`LockedStore`] for it.
//!
//! ```text
//! <name>/baseline.json
//! <name>/executables/<file>
//! <name>/executables/<file>.libraries/<file>
//! ```
//!
//! Anyone may have written such a file. So its paths are compared with these forms and never used
//! themselves, and each executable and library must have the size and hash that `baseline.json`
//! records. As a few bytes may expand to gigabytes, nothing is decompressed beyond the limit for its
//! part of the file: a header, `baseline.json`, or a program of the recorded size.

use super::allowance::{self, Allowance};
use super::bench_file;
use super::error::escaped;
use super::format::FormatError;
use super::format::MAX_JSON_BYTES;
use super::io_error::IoContext as _;
use super::layout::{self, EXECUTABLES, JSON};
use super::libraries::{self, StoredFile};
use super::stage::StagingFolder;
use super::{
    Baseline, BaselineName, BaselineRef, Error, Executable, Fingerprint, IoError, LockedStore, NameError,
    Origin, Store,
};
use crate::environment::Environment;
use flate2::Compression;
use flate2::write::GzEncoder;
use indicatif::HumanBytes;
use nanobench::report::escape;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};
use tar::{Builder, Entries, Entry, EntryType, Header};
use tempfile::NamedTempFile;

/// The limits for an archive, far above those of any suite.
const MAX_EXECUTABLES: usize = 4096;
const MAX_EXECUTABLE_BYTES: u64 = 16 << 30;
const MAX_NAME_BYTES: usize = 255;
/// The limit for what follows the last entry.
const MAX_REST: u64 = 1 << 20;

/// A baseline that was written to a file.
#[derive(Debug)]
pub(crate) struct Exported {
    pub(crate) baseline: BaselineRef,
    /// The number of executables in the file.
    pub(crate) executables: usize,
    /// The number of executables that are gone or changed.
    pub(crate) missing: usize,
    /// The size of the file, in bytes.
    pub(crate) size: u64,
}

/// A baseline that was read from a file.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The name that it was saved as.
    pub(crate) name: BaselineName,
    pub(crate) baseline: Baseline,
    /// The number of executables in the file.
    pub(crate) executables: usize,
    /// The reference to the baseline that had the name before.
    pub(crate) earlier: Option<BaselineRef>,
}

/// A failure of an export or import.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    #[error(transparent)]
    Store(#[from] Error),
    #[error("`{}` can't be imported: {flaw}\nnothing was changed", escaped(.file))]
    Invalid { file: PathBuf, flaw: ArchiveFlaw },
    /// The operating system refused the file that the user named.
    #[error("cannot {action} `{}`: {reason}\n{advice}", escaped(.file))]
    File { action: &'static str, file: PathBuf, reason: io::Error, advice: &'static str },
    #[error(
        "`{}` exists already and is not an exported baseline\nname another file, or delete it first",
        escaped(.file)
    )]
    NotReplaceable { file: PathBuf },
}

/// The reason why a file can't be imported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveFlaw {
    #[error("it is not an exported baseline, or it is truncated: {}", escape(&.0.to_string()))]
    NotAnArchive(io::Error),
    #[error("it contains `{}`, which exported baselines don't", escape(.0))]
    UnexpectedEntry(String),
    #[error("its {JSON} is damaged: {}", escape(&.0.to_string()))]
    Damaged(serde_json::Error),
    #[error("a newer cargo-nanobench wrote it, in a format that this version ({}) can't read; update: cargo install cargo-nanobench", env!("CARGO_PKG_VERSION"))]
    NewerFormat,
    #[error("an earlier cargo-nanobench wrote it, in a format that this version ({}) can't read; save and export it again", env!("CARGO_PKG_VERSION"))]
    OlderFormat,
    #[error("the size or hash of its `{}` differs from that of the measured executable", escape(.0))]
    ExecutableMismatch(String),
    #[error("it is not a file that `Bench::save` wrote: {}", escape(.0))]
    BenchFile(String),
    #[error("it has more than {}, the limit for a file of `Bench::save`", HumanBytes(*.0))]
    LargeBenchFile(u64),
    #[error("its name is invalid\n{0}\nchoose another name: --name NAME")]
    Name(NameError),
    #[error("it contains no baseline")]
    Empty,
    #[error("its {JSON} has {}, more than the {} that a baseline may have", HumanBytes(*.0), HumanBytes(MAX_JSON_BYTES))]
    LargeJson(u64),
    #[error(
        "it lists {0} executables and libraries, more than the {MAX_EXECUTABLES} that a baseline may have"
    )]
    ManyExecutables(usize),
    #[error("its executables have {} in total, more than the {} that a baseline may have", HumanBytes(*.0), HumanBytes(MAX_EXECUTABLE_BYTES))]
    LargeExecutables(u64),
    #[error(
        "the name of an executable has {0} bytes, more than the {MAX_NAME_BYTES} that a file system allows"
    )]
    LongName(usize),
    #[error("one of its parts is larger than it says or may be")]
    Oversized,
}

impl From<io::Error> for ArchiveFlaw {
    fn from(error: io::Error) -> Self {
        if allowance::is_exceeded(&error) { Self::Oversized } else { Self::NotAnArchive(error) }
    }
}

impl From<IoError> for ArchiveError {
    fn from(error: IoError) -> Self {
        Self::Store(error.into())
    }
}

impl Store {
    /// Writes a baseline and its remaining executables to a file, completely or not at all.
    /// Replaces only a file that was exported, too.
    pub(crate) fn export(
        &self,
        baseline: &BaselineRef,
        file: &Path,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Exported, ArchiveError> {
        self.require(baseline)?;
        // Prevents a run from replacing it meanwhile.
        let _lock = self.lock(interrupted)?;
        let saved = self.load(baseline)?;
        if file.exists() && !is_exported(file) {
            return Err(ArchiveError::NotReplaceable { file: file.to_owned() });
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let refused = |reason| ArchiveError::File {
            action: "write",
            file: file.to_owned(),
            reason,
            advice: "create its folder, make it writable or make room there; or name another file",
        };
        let staged = new_file_in(folder).map_err(without_path).map_err(refused)?;
        let all = saved.baseline.executables.iter();
        let stored = all.filter_map(|executable| Some((executable, saved.stored_executable(executable)?)));
        let stored: Vec<(&Executable, PathBuf)> = stored.collect();
        for (_, path) in &stored {
            File::open(path).context("read", path)?;
        }
        write(&saved.baseline, &baseline.name(), &stored, staged.as_file()).map_err(refused)?;
        let size = staged.as_file().metadata().map_err(refused)?.len();
        staged.persist(file).map_err(|error| refused(error.error))?;
        let missing = saved.baseline.executables.len() - stored.len();
        Ok(Exported { baseline: baseline.clone(), executables: stored.len(), missing, size })
    }
}

impl LockedStore<'_> {
    /// Saves the baseline in a file as `name`, or under its own name. An existing baseline of that
    /// name becomes the previous version.
    ///
    /// Comparisons run the executables only if `is_trusted` is set: anyone may have written the
    /// file, including all that it says about itself.
    pub(crate) fn import(
        &self,
        file: &Path,
        name: Option<&BaselineName>,
        is_trusted: bool,
    ) -> Result<Imported, ArchiveError> {
        let mut opened = File::open(file).map_err(|reason| ArchiveError::File {
            action: "read",
            file: file.to_owned(),
            reason,
            advice: "name a file that was exported: cargo nanobench baseline export NAME FILE",
        })?;
        let invalid = |flaw| ArchiveError::Invalid { file: file.to_owned(), flaw };
        let own = |own_name: &str| own_name.parse().map_err(|error| invalid(ArchiveFlaw::Name(error)));
        if let Some((own_name, baseline)) = bench_file::read(&mut opened).map_err(&invalid)? {
            let name = name.map_or_else(|| own(&own_name), |name| Ok(name.clone()))?;
            let staging = self.staging_folder(&BaselineRef::Named(name.clone()))?;
            return self.finish_import(name, baseline, staging, 0, false);
        }
        let allowance = Allowance::default();
        let mut archive = allowance.archive(opened);
        let mut entries = archive.entries().map_err(|error| invalid(error.into()))?;
        let (own_name, baseline) = read_first(&mut entries, &allowance).map_err(&invalid)?;
        let files: Vec<StoredFile> = baseline.executables.iter().flat_map(libraries::files_of).collect();
        check_files(&files).map_err(&invalid)?;
        let name = name.map_or_else(|| own(&own_name), |name| Ok(name.clone()))?;
        let staging = self.staging_folder(&BaselineRef::Named(name.clone()))?;
        let mut seen = HashSet::new();
        while let Some(mut entry) = allowance.next(&mut entries).map_err(&invalid)? {
            let file = identify(&entry, &own_name, &files).map_err(&invalid)?;
            allowance.allow(file.size);
            if !seen.insert(&*file.place) {
                return Err(invalid(ArchiveFlaw::UnexpectedEntry(file.place.clone())));
            }
            let path = staging.executables().join(&file.place);
            layout::create_parent(&path)?;
            extract(&mut entry, &path, &invalid)?;
            if Fingerprint::from_file(&path).context("read", &path)? != file.hash {
                return Err(invalid(ArchiveFlaw::ExecutableMismatch(file.place.clone())));
            }
        }
        // Without one of its libraries, an executable is useless.
        let is_whole = |executable: &&Executable| {
            libraries::files_of(executable).iter().all(|file| seen.contains(&*file.place))
        };
        let executables = baseline.executables.iter().filter(is_whole).count();
        allowance.allow(MAX_REST);
        read_to_end(archive.into_inner()).map_err(|error| invalid(error.into()))?;
        self.finish_import(name, baseline, staging, executables, is_trusted)
    }

    /// Saves a baseline that was read from a file.
    fn finish_import(
        &self,
        name: BaselineName,
        mut baseline: Baseline,
        staging: StagingFolder,
        executables: usize,
        is_trusted: bool,
    ) -> Result<Imported, ArchiveError> {
        let baseline_ref = BaselineRef::Named(name.clone());
        baseline.origin = if is_trusted { Origin::TrustedImport } else { Origin::Import };
        baseline.from_other_machine =
            !Environment::this_machine().is_same_kind_of_machine(&baseline.environment);
        let imported = |baseline, earlier| Imported { name: name.clone(), baseline, executables, earlier };
        let saved = self.store.load(&baseline_ref).ok().map(|saved| saved.baseline);
        match saved.filter(|saved| saved.has_content_of(&baseline)) {
            // It is saved already. Saving it again would replace `~1` by a copy of it.
            Some(saved) if saved.origin == baseline.origin || !saved.is_imported() => {
                Ok(imported(saved, None))
            }
            Some(_) => {
                staging.save_over_copy(&baseline, self)?;
                Ok(imported(baseline, None))
            }
            None => {
                let is_kept =
                    self.store.contains(&baseline_ref) && self.store.previous_folder(&baseline_ref).is_some();
                staging.save(&baseline, self)?;
                Ok(imported(baseline, is_kept.then(|| BaselineRef::Earlier(name.clone()))))
            }
        }
    }
}

/// Creates a temporary file with the permissions of any new file. Without them, it would be
/// private.
fn new_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes the archive of a baseline.
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
        for StoredFile { place, size, .. } in libraries::files_of(executable) {
            let entry = format!("{name}/{EXECUTABLES}/{place}");
            let stored = File::open(path.with_file_name(place))?;
            archive.append_data(&mut header(size, 0o755), entry, stored)?;
        }
    }
    archive.into_inner()?.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Returns whether a file begins as an exported baseline does.
fn is_exported(file: &Path) -> bool {
    let read = || {
        let allowance = Allowance::default();
        let mut archive = allowance.archive(File::open(file)?);
        let mut entries = archive.entries()?;
        io::Result::Ok(matches!(
            read_first(&mut entries, &allowance),
            Ok(_) | Err(ArchiveFlaw::NewerFormat | ArchiveFlaw::OlderFormat)
        ))
    };
    read().unwrap_or(false)
}

/// Reads the first entry of an archive: the exported name and the baseline.
fn read_first<R: Read>(
    entries: &mut Entries<'_, R>,
    allowance: &Allowance,
) -> Result<(String, Baseline), ArchiveFlaw> {
    let entry = allowance.next(entries)?.ok_or(ArchiveFlaw::Empty)?;
    let path = path(&entry)?;
    let Some((name, JSON)) = path.split_once('/') else { return Err(ArchiveFlaw::UnexpectedEntry(path)) };
    if entry.header().entry_type() != EntryType::Regular {
        return Err(ArchiveFlaw::UnexpectedEntry(path));
    }
    if entry.size() > MAX_JSON_BYTES {
        return Err(ArchiveFlaw::LargeJson(entry.size()));
    }
    let name = name.to_owned();
    allowance.allow(entry.size());
    let mut text = Vec::new();
    entry.take(MAX_JSON_BYTES).read_to_end(&mut text)?;
    match Baseline::parse(&text) {
        Ok(baseline) => Ok((name, baseline)),
        Err(FormatError::Newer { .. }) => Err(ArchiveFlaw::NewerFormat),
        Err(FormatError::Older) => Err(ArchiveFlaw::OlderFormat),
        Err(FormatError::Damaged(reason)) => Err(ArchiveFlaw::Damaged(reason)),
    }
}

/// Fails if executables and libraries are too many, too large or have too long names, before any is
/// written.
fn check_files(files: &[StoredFile]) -> Result<(), ArchiveFlaw> {
    if files.len() > MAX_EXECUTABLES {
        return Err(ArchiveFlaw::ManyExecutables(files.len()));
    }
    let size = files.iter().fold(0, |size: u64, file| size.saturating_add(file.size));
    if size > MAX_EXECUTABLE_BYTES {
        return Err(ArchiveFlaw::LargeExecutables(size));
    }
    let length = files.iter().flat_map(|file| file.place.split('/')).map(str::len).max();
    match length.filter(|&length| length > MAX_NAME_BYTES) {
        Some(length) => Err(ArchiveFlaw::LongName(length)),
        None => Ok(()),
    }
}

/// Returns the executable or library that an entry holds.
fn identify<'a, R: Read>(
    entry: &Entry<'_, R>,
    name: &str,
    files: &'a [StoredFile],
) -> Result<&'a StoredFile, ArchiveFlaw> {
    let path = path(entry)?;
    let place = path.strip_prefix(&format!("{name}/{EXECUTABLES}/"));
    let file = files.iter().find(|file| place == Some(&*file.place));
    match file.filter(|_| entry.header().entry_type() == EntryType::Regular) {
        None => Err(ArchiveFlaw::UnexpectedEntry(path)),
        Some(file) if file.size != entry.size() => Err(ArchiveFlaw::ExecutableMismatch(file.place.clone())),
        Some(file) => Ok(file),
    }
}

fn path<R: Read>(entry: &Entry<'_, R>) -> Result<String, ArchiveFlaw> {
    let bytes = entry.path_bytes();
    String::from_utf8(bytes.to_vec())
        .map_err(|error| ArchiveFlaw::UnexpectedEntry(String::from_utf8_lossy(error.as_bytes()).into()))
}

/// Writes an executable to a file. Distinguishes write errors from flaws of the archive, which are
/// errors of reading.
pub(super) fn extract(
    entry: &mut impl Read,
    path: &Path,
    invalid: &dyn Fn(ArchiveFlaw) -> ArchiveError,
) -> Result<(), ArchiveError> {
    let mut file = File::create_new(path).context("write", path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match entry.read(&mut buffer) {
            Ok(0) => return Ok(set_mode(path, 0o755).context("write", path)?),
            Ok(read) => file.write_all(&buffer[..read]).context("write", path)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(invalid(error.into())),
        }
    }
}

/// Removes the path from the error of a temporary file, which the user has not named.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    let text = text.rsplit_once(" at path ").map_or(text.as_str(), |(text, _)| text);
    io::Error::new(error.kind(), text)
}

/// Reads the rest of the file, with the checksum at its end.
fn read_to_end(rest: impl Read) -> io::Result<()> {
    match io::copy(&mut rest.take(MAX_REST), &mut io::sink())? {
        MAX_REST => Err(io::Error::other("too much data follows the baseline")),
        _ => Ok(()),
    }
}

/// Sets the mode of a file, on Unix.
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, mode);
        Ok(())
    }
}
