//! Fresh copies of two executables, one for each process of a block; all contests between the two share them, so that a large
//! suite fills no disk.
//!
//! Where a file lies in memory, and how long its path is, moves the figures of what it does by up to half a per cent, for as
//! long as it lies there, byte-identical or not. Copies that are made anew, in random order and under names of one
//! length, make that a part of the noise between launches.

use super::block::PROCESSES;
use crate::cargo::Executable;
use nanobench::Rng;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Copies are made anew where that takes no more than one part in so many of the time.
const SHARE: u32 = 6;

/// The copies that the next block runs. They go with this value.
#[derive(Debug)]
pub(super) struct Copies {
    originals: [PathBuf; 2],
    folder: Option<TempDir>,
    made: Instant,
    took: Duration,
}

impl Copies {
    /// Of the executables of a contest. Made when they are needed.
    pub(super) fn of(baseline: &Executable, candidate: &Executable) -> Copies {
        let originals = [baseline.path.clone(), candidate.path.clone()];
        Copies { originals, folder: None, made: Instant::now(), took: Duration::ZERO }
    }

    /// A path for each process: two copies of the baseline, then two of the candidate. Where they can't be made, the
    /// originals.
    pub(super) fn paths(&mut self, rng: &mut Rng) -> [PathBuf; PROCESSES] {
        if self.folder.is_none() || self.made.elapsed() >= self.took * SHARE {
            let begin = Instant::now();
            // Without a copy, the verdict has some noise more: no reason to end the run.
            self.folder = self.make(rng).ok();
            (self.made, self.took) = (Instant::now(), begin.elapsed());
        }
        std::array::from_fn(|process| match &self.folder {
            Some(folder) => folder.path().join(name(process)),
            None => self.originals[process / 2].clone(),
        })
    }

    fn make(&self, rng: &mut Rng) -> io::Result<TempDir> {
        // Beside the candidate: there, executables can be run.
        let beside = self.originals[1].parent().unwrap_or(Path::new("."));
        let folder = tempfile::Builder::new().prefix("nanobench-").tempdir_in(beside)?;
        let mut order: [usize; PROCESSES] = std::array::from_fn(|process| process);
        rng.shuffle(&mut order);
        for process in order {
            fs::copy(&self.originals[process / 2], folder.path().join(name(process)))?;
        }
        Ok(folder)
    }
}

/// All of one length. On Windows, what can be run ends like this.
fn name(process: usize) -> String {
    format!("bench-{process}{}", std::env::consts::EXE_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_what_they_are_of_and_go() {
        let folder = tempfile::tempdir().unwrap();
        let originals = ["old", "new"].map(|name| folder.path().join(name));
        for path in &originals {
            fs::write(path, path.to_str().unwrap()).unwrap();
        }
        let mut copies =
            Copies { originals: originals.clone(), folder: None, made: Instant::now(), took: Duration::ZERO };
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
    fn without_a_place_for_copies_the_originals_run() {
        let originals = ["/nowhere/old", "/nowhere/new"].map(PathBuf::from);
        let mut copies = Copies { originals, folder: None, made: Instant::now(), took: Duration::ZERO };
        let paths = copies.paths(&mut Rng::with_seed(1));
        assert_eq!(paths[1], Path::new("/nowhere/old"));
        assert_eq!(paths[2], Path::new("/nowhere/new"));
    }
}
