//! Listings of programs that pass their benchmarks, kept for the next runs if they took long.

use crate::experiment::{Harness, Suite};
use crate::fingerprint::Fingerprint;
use crate::{new_file, regular_file};
use nanobench::json;
use nanobench::protocol::Listing;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The least time that a kept listing saves.
const MIN_TIME: Duration = Duration::from_millis(100);
/// The limit for the age of a listing, as it may rest on something that nobody looks at.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);
/// The limit for the bytes of a listing.
const MAX_BYTES: u64 = 64 << 20;

/// The folder of kept listings. The name of each is the fingerprint of what it rests on.
pub(super) struct KeptListings {
    folder: PathBuf,
}

impl KeptListings {
    pub(super) fn below(target_directory: &Path) -> KeptListings {
        KeptListings { folder: target_directory.join("nanobench").join("listings") }
    }

    /// Returns the listing that rests on the same. `None` if it is too old.
    pub(super) fn find(&self, rests_on: impl FnOnce() -> Option<Fingerprint>) -> Option<Arc<Listing>> {
        if !self.folder.is_dir() {
            return None;
        }
        let file = self.file(&rests_on()?);
        if !is_recent(&file) {
            return None;
        }
        let text = String::from_utf8(regular_file::read(&file, MAX_BYTES).ok()?).ok()?;
        json::from_str(&text).ok().map(Arc::new)
    }

    /// Keeps the listings that took long. Nothing but time is lost if one can't be written.
    pub(super) fn keep(&self, suite: &Suite, rests_on: impl Fn(&Harness) -> Option<Fingerprint>) {
        for harness in suite.harnesses.iter().filter(|harness| !harness.has_kept_listing()) {
            let time = harness.listing.time_before.filter(|_| harness.executable.passes_in_order());
            if Duration::from_nanos(time.unwrap_or(0)) >= MIN_TIME
                && let Some(rests_on) = rests_on(harness)
            {
                let _ = self.write(&self.file(&rests_on), &harness.listing);
            }
        }
    }

    /// Makes the next run list all benchmarks anew.
    pub(super) fn forget(&self) {
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// Writes a listing, and deletes those that are too old.
    fn write(&self, file: &Path, listing: &Listing) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for other in fs::read_dir(&self.folder)?.flatten().map(|entry| entry.path()) {
            if !is_recent(&other) {
                let _ = fs::remove_file(other);
            }
        }
        let mut new = new_file::create_in(&self.folder)?;
        new.write_all(json::to_string(listing).as_bytes())?;
        new.persist(file)?;
        Ok(())
    }

    fn file(&self, rests_on: &Fingerprint) -> PathBuf {
        self.folder.join(rests_on.digits())
    }
}

fn is_recent(file: &Path) -> bool {
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    modified.ok().and_then(|time| time.elapsed().ok()).is_some_and(|age| age < MAX_AGE)
}
