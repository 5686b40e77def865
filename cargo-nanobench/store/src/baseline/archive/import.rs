//! Import: reads a file that anyone may have written.

use super::{
    ArchiveError, ArchiveFlaw, EXECUTABLES, Imported, JSON, MAX_EXECUTABLE_BYTES, MAX_EXECUTABLES,
    MAX_NAME_BYTES, USUAL_EXECUTABLE_BYTES,
};
use crate::baseline::allowance::Allowance;
use crate::baseline::bench_file;
use crate::baseline::executable::StoredFile;
use crate::baseline::format::{FormatError, MAX_JSON_BYTES};
use crate::baseline::io_error::IoContext as _;
use crate::baseline::layout;
use crate::baseline::{BaselineName, BaselineRef, Executable, LockedStore, Origin, RunRecord};
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
    pub fn import(
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
        let named = |own_name: &str| {
            let own = || own_name.parse().map_err(|error| invalid(ArchiveFlaw::Name(error)));
            let name = name.cloned().map_or_else(own, Ok)?;
            self.prove_replaceable(&BaselineRef::Named(name.clone()))?;
            Ok::<_, ArchiveError>(name)
        };
        if let Some((own_name, run)) = bench_file::read(&mut opened).map_err(&invalid)? {
            return self.save_import(named(&own_name)?, run, 0, Origin::Import);
        }
        let allowance = Allowance::default();
        let mut archive = allowance.archive(opened);
        let mut entries = archive.entries().map_err(|error| invalid(error.into()))?;
        let (own_name, run) = read_first(&mut entries, &allowance).map_err(&invalid)?;
        let files: Vec<(String, StoredFile)> =
            run.executables.iter().flat_map(Executable::archived).collect();
        check_files(&files, may_be_large).map_err(&invalid)?;
        let name = named(&own_name)?;
        let origin = if is_trusted { Origin::TrustedImport } else { Origin::Import };
        let staging = self.staging_folder(origin)?;
        let mut seen = HashSet::new();
        while let Some(mut entry) = allowance.next(&mut entries).map_err(&invalid)? {
            let (place, file) = identify(&entry, &own_name, &files).map_err(&invalid)?;
            allowance.allow(file.size);
            if !seen.insert(place.clone()) {
                return Err(invalid(ArchiveFlaw::UnexpectedEntry(place.clone())));
            }
            let path = staging.path().join(place);
            layout::create_folder(path.parent().unwrap_or(&path))?;
            extract(&mut entry, &path, &invalid)?;
            if !file.is_at(&path) {
                return Err(invalid(ArchiveFlaw::ExecutableMismatch(place.clone())));
            }
        }
        allowance.allow(MAX_REST);
        read_to_end(archive.into_inner()).map_err(|error| invalid(error.into()))?;
        // Without one of its libraries, an executable is useless.
        let is_whole = |executable: &&Executable| {
            executable.archived().iter().all(|(place, file)| file.hash.is_none() || seen.contains(place))
        };
        let mut executables = 0;
        for executable in run.executables.iter().filter(is_whole) {
            let place = executable.blob(origin).path(&self.store.root());
            if !executable.is_intact(&place) {
                self.adopt(&staging.path().join(place.file_name().unwrap_or_default()), &place)?;
            }
            executables += 1;
        }
        self.save_import(name, run, executables, origin)
    }

    /// Saves a run that was read from a file.
    fn save_import(
        &self,
        name: BaselineName,
        mut run: RunRecord,
        executables: usize,
        origin: Origin,
    ) -> Result<Imported, ArchiveError> {
        let baseline = BaselineRef::Named(name.clone());
        run.outside_files_mut().for_each(|file| file.enter(&self.store.workspace));
        run.origin = origin;
        run.from_other_machine = !Environment::this_machine().is_same_kind_of_machine(&run.environment);
        let saved = self.store.read(&baseline).ok().map(|saved| saved.baseline);
        let mut earlier = None;
        match saved.filter(|saved| saved.has_content_of(&run)) {
            // It is saved already. Saving it again would replace `~1` by a copy of it.
            Some(saved) if saved.origin == origin || !saved.is_imported() => run = saved,
            Some(_) => {
                let mut pointer = self.store.pointer(&baseline)?;
                pointer.run = Some(self.write_record(&run, self.reserve(0)?)?);
                self.write_pointer(&baseline, &pointer)?;
            }
            None => {
                let is_kept = self.save(&baseline, &run, self.reserve(0)?)?;
                earlier = is_kept.then(|| BaselineRef::Earlier(name.clone()));
            }
        }
        Ok(Imported { name, baseline: run, executables, earlier })
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
) -> Result<(String, RunRecord), ArchiveFlaw> {
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
    match RunRecord::parse(&text) {
        Ok(baseline) => Ok((name, baseline)),
        Err(FormatError::Newer { .. }) => Err(ArchiveFlaw::NewerFormat),
        Err(FormatError::Older) => Err(ArchiveFlaw::OlderFormat),
        Err(FormatError::Damaged(reason)) => Err(ArchiveFlaw::Damaged(reason)),
    }
}

/// Fails if executables and libraries are too many, too large or have too long names, before any is
/// written.
fn check_files(files: &[(String, StoredFile)], may_be_large: bool) -> Result<(), ArchiveFlaw> {
    if files.len() > MAX_EXECUTABLES {
        return Err(ArchiveFlaw::TooLarge(format!("it lists {} executables and libraries", files.len())));
    }
    let size = files.iter().fold(0, |size: u64, (_, file)| size.saturating_add(file.size));
    if size > MAX_EXECUTABLE_BYTES {
        return Err(ArchiveFlaw::TooLarge(format!("its executables have {} in total", HumanBytes(size))));
    }
    if size > USUAL_EXECUTABLE_BYTES && !may_be_large {
        return Err(ArchiveFlaw::Large(size));
    }
    let length = files.iter().flat_map(|(place, _)| place.split('/')).map(str::len).max();
    match length.filter(|&length| length > MAX_NAME_BYTES) {
        Some(length) => Err(ArchiveFlaw::TooLarge(format!("the name of an executable has {length} bytes"))),
        None => Ok(()),
    }
}

/// Returns the executable or library that an entry holds.
fn identify<'a, R: Read>(
    entry: &Entry<'_, R>,
    name: &str,
    files: &'a [(String, StoredFile)],
) -> Result<&'a (String, StoredFile), ArchiveFlaw> {
    let path = path(entry)?;
    let place = path.strip_prefix(&format!("{name}/{EXECUTABLES}/"));
    let file = files.iter().find(|(known, _)| place == Some(&**known));
    match file.filter(|_| entry.header().entry_type() == EntryType::Regular) {
        None => Err(ArchiveFlaw::UnexpectedEntry(path)),
        Some((place, file)) if file.size != entry.size() => {
            Err(ArchiveFlaw::ExecutableMismatch(place.clone()))
        }
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
