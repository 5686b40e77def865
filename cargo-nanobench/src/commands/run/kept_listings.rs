//! Listings of programs that pass their benchmarks, kept for the next runs if they took long.

use crate::cargo::Executable;
use crate::experiment::Suite;
use crate::fingerprint::Fingerprint;
use crate::new_file;
use nanobench::json;
use nanobench::protocol::Listing;
use std::fs::{self, DirEntry};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The least time that a kept listing saves.
const MIN_TIME: Duration = Duration::from_millis(100);
/// The limit for the age of a listing, as it may rest on something that nobody looks at.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// The folder of kept listings. Each file has a line for all that its listing rests on.
pub(super) struct KeptListings {
    folder: PathBuf,
}

impl KeptListings {
    pub(super) fn below(target_directory: &Path) -> KeptListings {
        KeptListings { folder: target_directory.join("nanobench").join("listings") }
    }

    /// Returns the listing of an executable that rests on the same as now.
    pub(super) fn find(
        &self,
        executable: &Executable,
        rests_on: impl FnOnce() -> Option<Fingerprint>,
    ) -> Option<Arc<Listing>> {
        let file = self.file(executable);
        let age = file.metadata().ok()?.modified().ok()?.elapsed().ok()?;
        let text = fs::read_to_string(file).ok().filter(|_| age < MAX_AGE)?;
        let (known, listing) = text.split_once('\n')?;
        let listing = Some(listing).filter(|_| rests_on().is_some_and(|now| known == now.to_string()))?;
        json::from_str(listing).ok().map(Arc::new)
    }

    /// Keeps the listings that took long. Nothing but time is lost if one can't be written.
    pub(super) fn keep(&self, suite: &Suite, rests_on: impl Fn(&Executable) -> Option<Fingerprint>) {
        for harness in suite.harnesses.iter().filter(|harness| harness.executable.passes_in_order()) {
            let time = Duration::from_nanos(harness.listing.time_before.unwrap_or(0));
            if let Some(rests_on) = Some(&harness.executable).filter(|_| time >= MIN_TIME).and_then(&rests_on)
            {
                let text = format!("{rests_on}\n{}", json::to_string(&*harness.listing));
                let _ = self.write(&harness.executable, &text);
            }
        }
    }

    /// Makes the next run list the benchmarks of an executable anew.
    pub(super) fn forget(&self, executable: &Executable) {
        let _ = fs::remove_file(self.file(executable));
    }

    /// Writes the listing of an executable, unless there is one, and deletes those that are too old.
    fn write(&self, executable: &Executable, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for entry in fs::read_dir(&self.folder)?.flatten().filter(is_old) {
            let _ = fs::remove_file(entry.path());
        }
        let file = self.file(executable);
        if fs::read_to_string(&file).is_ok_and(|kept| kept.lines().next() == text.lines().next()) {
            return Ok(());
        }
        let mut new = new_file::create_in(&self.folder)?;
        new.write_all(text.as_bytes())?;
        new.persist(file)?;
        Ok(())
    }

    fn file(&self, executable: &Executable) -> PathBuf {
        let path = Fingerprint::of(executable.path.as_os_str().as_encoded_bytes());
        self.folder.join(path.digits())
    }
}

fn is_old(entry: &DirEntry) -> bool {
    let age = entry.metadata().ok().and_then(|data| data.modified().ok()?.elapsed().ok());
    age.is_some_and(|age| age >= MAX_AGE)
}
