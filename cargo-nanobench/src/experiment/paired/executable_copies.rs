//! Fresh copies of two executables, one for each process of a block. All benchmarks of the two
//! share the copies, so that a large suite doesn't fill the disk.
//!
//! The placement of a file in memory and the length of its path affect its figures by up to half a
//! per cent, for as long as the file exists, even if all its bytes are the same. Fresh copies, made
//! in random order under names of one length, turn that into a part of the noise between launches.

use super::benchmark::{PROCESSES, runs_baseline};
use nanobench::Rng;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Copies are used at least this many times as long as copying took.
const MIN_LIFETIME_RATIO: u32 = 6;

/// The copies that the next block runs. Dropping this value deletes them.
#[derive(Debug)]
pub(super) struct ExecutableCopies {
    /// The executables of baseline and candidate.
    originals: [PathBuf; 2],
    folder: Option<TempDir>,
    copied_at: Instant,
    copy_time: Duration,
}

impl ExecutableCopies {
    /// Creates the value without any copies.
    pub(super) fn new(originals: [PathBuf; 2]) -> ExecutableCopies {
        let (copied_at, copy_time) = (Instant::now(), Duration::ZERO);
        ExecutableCopies { originals, folder: None, copied_at, copy_time }
    }

    /// Returns a path for each process: two copies of the baseline, then two of the candidate.
    /// Returns the originals if copying fails.
    pub(super) fn paths(&mut self, rng: &mut Rng) -> [PathBuf; PROCESSES] {
        if self.folder.is_none() || self.copied_at.elapsed() >= self.copy_time * MIN_LIFETIME_RATIO {
            let begin = Instant::now();
            // Without copies, the comparison is only a little noisier.
            self.folder = self.copy(rng).ok();
            (self.copied_at, self.copy_time) = (Instant::now(), begin.elapsed());
        }
        std::array::from_fn(|process| match &self.folder {
            Some(folder) => folder.path().join(name(process)),
            None => self.original(process).to_owned(),
        })
    }

    fn copy(&self, rng: &mut Rng) -> io::Result<TempDir> {
        // Executables can run in the folder of the candidate, but perhaps not in a temporary one.
        let parent = self.originals[1].parent().unwrap_or(Path::new("."));
        let folder = tempfile::Builder::new().prefix("nanobench-").tempdir_in(parent)?;
        let mut order: [usize; PROCESSES] = std::array::from_fn(|process| process);
        rng.shuffle(&mut order);
        for process in order {
            fs::copy(self.original(process), folder.path().join(name(process)))?;
        }
        Ok(folder)
    }

    fn original(&self, process: usize) -> &Path {
        let [baseline, candidate] = &self.originals;
        if runs_baseline(process) { baseline } else { candidate }
    }
}

/// Returns the file name of a copy. All names have the same length.
fn name(process: usize) -> String {
    format!("bench-{process}{}", std::env::consts::EXE_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_equal_their_originals_and_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let originals = ["old", "new"].map(|name| folder.path().join(name));
        for path in &originals {
            fs::write(path, path.to_str().unwrap()).unwrap();
        }
        let mut copies = ExecutableCopies::new(originals.clone());
        let mut rng = Rng::with_seed(1);
        let paths = copies.paths(&mut rng);
        for (process, path) in paths.iter().enumerate() {
            assert_eq!(fs::read_to_string(path).unwrap(), originals[process / 2].to_str().unwrap());
        }
        let again = copies.paths(&mut rng);
        assert!(again.iter().all(|path| path.exists()));
        drop(copies);
        assert!(again.iter().all(|path| !path.exists()));
    }

    #[test]
    fn originals_run_if_copying_fails() {
        let mut copies = ExecutableCopies::new(["/nowhere/old", "/nowhere/new"].map(PathBuf::from));
        let paths = copies.paths(&mut Rng::with_seed(1));
        assert_eq!(paths[1], Path::new("/nowhere/old"));
        assert_eq!(paths[2], Path::new("/nowhere/new"));
    }
}
