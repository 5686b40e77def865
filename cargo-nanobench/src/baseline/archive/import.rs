//! Import: reads a file that anyone may have written.

use super::{
    ArchiveError, ArchiveFlaw, Imported, MAX_EXECUTABLE_BYTES, MAX_EXECUTABLES, MAX_NAME_BYTES,
    USUAL_EXECUTABLE_BYTES,
};
use crate::baseline::allowance::Allowance;
use crate::baseline::bench_file;
use crate::baseline::format::{FormatError, MAX_JSON_BYTES};
use crate::baseline::io_error::IoContext as _;
use crate::baseline::layout::{self, EXECUTABLES, JSON};
use crate::baseline::libraries::{self, StoredFile};
use crate::baseline::stage::StagingFolder;
use crate::baseline::{Baseline, BaselineName, BaselineRef, Executable, Fingerprint, LockedStore, Origin};
use crate::environment::Environment;
use crate::regular_file;
use indicatif::HumanBytes;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;
use tar::{Entries, Entry, EntryType};

/// The limit for what follows the last entry.
const MAX_REST: u64 = 1 << 20;

impl LockedStore<'_> {
    /// Saves the baseline in a file as `name`, or under its own name. An existing baseline of that
    /// name becomes the previous version.
    ///
    /// Comparisons run the executables only if `is_trusted` is set: anyone may have written the
    /// file, including all that it says about itself. Executables of gigabytes are only written if
    /// `may_be_large` is set.
    pub(crate) fn import(
        &self,
        file: &Path,
        name: Option<&BaselineName>,
        is_trusted: bool,
        may_be_large: bool,
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
        check_files(&files, may_be_large).map_err(&invalid)?;
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
            let is_as_recorded = match &file.hash {
                Some(hash) => Fingerprint::from_file(&path).context("read", &path)? == *hash,
                None => true,
            };
            if !is_as_recorded {
                return Err(invalid(ArchiveFlaw::ExecutableMismatch(file.place.clone())));
            }
        }
        // Without one of its libraries, an executable is useless.
        let is_whole = |executable: &&Executable| {
            let files = libraries::files_of(executable);
            files.iter().all(|file| file.hash.is_none() || seen.contains(&*file.place))
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
        baseline.outside_files_mut().for_each(|file| file.enter(&self.store.workspace));
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
                staging.save(&baseline, self, None)?;
                Ok(imported(baseline, None))
            }
            None => {
                let previous = self.store.previous_folder(&baseline_ref);
                let is_kept = self.store.contains(&baseline_ref) && previous.is_some();
                staging.save(&baseline, self, previous.as_deref())?;
                Ok(imported(baseline, is_kept.then(|| BaselineRef::Earlier(name.clone()))))
            }
        }
    }
}

/// Returns whether a file begins as an exported baseline does.
pub(super) fn is_exported(file: &Path) -> bool {
    let read = || {
        let allowance = Allowance::default();
        let mut archive = allowance.archive(regular_file::open(file)?);
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
        return Err(ArchiveFlaw::TooLarge(format!("its {JSON} has {}", HumanBytes(entry.size()))));
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
fn check_files(files: &[StoredFile], may_be_large: bool) -> Result<(), ArchiveFlaw> {
    if files.len() > MAX_EXECUTABLES {
        return Err(ArchiveFlaw::TooLarge(format!("it lists {} executables and libraries", files.len())));
    }
    let size = files.iter().fold(0, |size: u64, file| size.saturating_add(file.size));
    if size > MAX_EXECUTABLE_BYTES {
        return Err(ArchiveFlaw::TooLarge(format!("its executables have {} in total", HumanBytes(size))));
    }
    if size > USUAL_EXECUTABLE_BYTES && !may_be_large {
        return Err(ArchiveFlaw::Large(size));
    }
    let length = files.iter().flat_map(|file| file.place.split('/')).map(str::len).max();
    match length.filter(|&length| length > MAX_NAME_BYTES) {
        Some(length) => Err(ArchiveFlaw::TooLarge(format!("the name of an executable has {length} bytes"))),
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
pub(in crate::baseline) fn extract(
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
