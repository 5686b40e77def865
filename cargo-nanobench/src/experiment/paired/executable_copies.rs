//! Fresh copies of two executables, one for each process of a block. All benchmarks of the two
//! share the copies, so that a large suite doesn't fill the disk.
//!
//! The placement of a file in memory and the length of its path affect its figures by up to half a
//! per cent, for as long as the file exists, even if all its bytes are the same. Copies that are
//! renewed often, under names of one length, turn that into a part of the noise between launches.
//! A change that one set of copies had by chance is thus not confirmed with the same set.

use super::benchmark::{PROCESSES, runs_baseline};
use crate::scratch::ScratchFolder;
use crate::warnings;
use nanobench::Rng;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Copies that were used this many times as long as copying took are renewed: a seventh of the
/// time at most goes into copies. Those of small executables are renewed with each block.
const CHEAP_LIFETIME_RATIO: u32 = 6;
/// Copies that a benchmark used for this many blocks are renewed even if that is expensive.
const MAX_BLOCKS: u32 = 3;
/// Copies are used at least this many times as long as copying took, however many blocks that is:
/// copying very large executables takes no more than half of the time.
const MIN_LIFETIME_RATIO: u32 = 1;

/// The copies that the next block runs. Dropping this value deletes them.
#[derive(Debug)]
pub(super) struct ExecutableCopies {
    /// The executables of baseline and candidate.
    originals: [PathBuf; 2],
    /// `None` before the first copies, and if copying failed.
    folder: Option<ScratchFolder>,
    /// `None` if copies are due in any case.
    copied: Option<Copied>,
}

/// The cost of the current copies, and their use.
#[derive(Debug)]
struct Copied {
    at: Instant,
    copy_time: Duration,
    /// The largest number of blocks of any benchmark that used the copies.
    blocks: u32,
}

impl Copied {
    /// Returns whether the copies were used for long enough.
    fn is_due(&self) -> bool {
        self.is_due_after(self.at.elapsed())
    }

    /// Returns whether copies that have existed for this long were used for long enough.
    fn is_due_after(&self, lifetime: Duration) -> bool {
        let min_ratio = if self.blocks >= MAX_BLOCKS { MIN_LIFETIME_RATIO } else { CHEAP_LIFETIME_RATIO };
        lifetime >= self.copy_time * min_ratio
    }
}

impl ExecutableCopies {
    /// Creates the value without any copies.
    pub(super) fn new(originals: [PathBuf; 2]) -> ExecutableCopies {
        ExecutableCopies { originals, folder: None, copied: None }
    }

    /// Notes that each benchmark may have run a block with the current copies.
    pub(super) fn end_round(&mut self) {
        self.copied.iter_mut().for_each(|copied| copied.blocks += 1);
    }

    /// Makes the next block run new copies, whatever they cost.
    pub(super) fn expire(&mut self) {
        self.copied = None;
    }

    /// Returns a path for each process: two copies of the baseline, then two of the candidate. The
    /// two copies of a side are dealt to its two processes at random, so that their difference is
    /// noise in the A/A ratios. Returns the originals if copying fails.
    pub(super) fn paths(&mut self, rng: &mut Rng) -> [PathBuf; PROCESSES] {
        if self.copied.as_ref().is_none_or(Copied::is_due) {
            self.renew(rng);
        }
        self.present_paths(rng)
    }

    /// Returns a path for each process, as [`ExecutableCopies::paths`], but with the copies that
    /// exist, however old they are.
    pub(super) fn present_paths(&mut self, rng: &mut Rng) -> [PathBuf; PROCESSES] {
        if self.copied.is_none() {
            self.renew(rng);
        }
        let mut dealt: [usize; PROCESSES] = std::array::from_fn(|process| process);
        let (baseline, candidate) = dealt.split_at_mut(PROCESSES / 2);
        rng.shuffle(baseline);
        rng.shuffle(candidate);
        dealt.map(|copy| match &self.folder {
            Some(folder) => folder.path().join(name(copy)),
            None => self.original(copy).to_owned(),
        })
    }

    fn renew(&mut self, rng: &mut Rng) {
        let begin = Instant::now();
        // The old copies make room for the new ones.
        self.folder = None;
        match self.copy(rng) {
            Ok(folder) => self.folder = Some(folder),
            Err(error) => self.warn(&error),
        }
        self.copied = Some(Copied { at: Instant::now(), copy_time: begin.elapsed(), blocks: 0 });
    }

    /// Warns that a comparison has no copies, once for each folder.
    fn warn(&self, error: &io::Error) {
        let folder = self.folder_for_copies().display();
        warnings::warn_once(
            format!("copies of executables in {folder}"),
            format_args!(
                "failed to copy executables in {folder}: {error}; each side runs the same file again and \
                 again, whose place in memory may look like a change of up to half a per cent; free space \
                 there, or make the folder writable"
            ),
        );
    }

    /// Returns the folder in which copies are made. Executables can run in the folder of the
    /// candidate, but perhaps not in a temporary one.
    fn folder_for_copies(&self) -> &Path {
        self.originals[1].parent().unwrap_or(Path::new("."))
    }

    fn copy(&self, rng: &mut Rng) -> io::Result<ScratchFolder> {
        let folder = ScratchFolder::create_in(self.folder_for_copies())?;
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

    /// Writes two executables, and returns their copies.
    fn copies_in(folder: &Path) -> ExecutableCopies {
        let originals = ["old", "new"].map(|name| folder.join(name));
        for path in &originals {
            fs::write(path, path.to_str().unwrap()).unwrap();
        }
        ExecutableCopies::new(originals)
    }

    /// Returns the folder of the copies.
    fn folder_of(paths: &[PathBuf; PROCESSES]) -> PathBuf {
        paths[0].parent().unwrap().to_owned()
    }

    #[test]
    fn copies_equal_their_originals_and_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let mut copies = copies_in(folder.path());
        let mut rng = Rng::with_seed(1);
        let paths = copies.paths(&mut rng);
        for (process, path) in paths.iter().enumerate() {
            let original = &copies.originals[process / 2];
            assert_eq!(fs::read_to_string(path).unwrap(), original.to_str().unwrap());
        }
        let again = copies.paths(&mut rng);
        assert!(again.iter().all(|path| path.exists()));
        drop(copies);
        assert!(again.iter().all(|path| !path.exists()));
    }

    #[test]
    fn each_block_deals_the_copies_of_a_side_anew() {
        let folder = tempfile::tempdir().unwrap();
        let mut copies = copies_in(folder.path());
        let mut rng = Rng::with_seed(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..100 {
            let paths = copies.paths(&mut rng);
            // One set of copies serves all blocks.
            copies.copied.as_mut().unwrap().copy_time = Duration::from_secs(1_000);
            seen.insert(paths.map(|path| path.file_name().unwrap().to_owned()));
        }
        assert_eq!(seen.len(), 4, "two orders on each side: {seen:?}");
    }

    #[test]
    fn copies_are_renewed_after_a_few_blocks_as_their_cost_allows() {
        let second = Duration::from_secs(1);
        let copied = |blocks| Copied { at: Instant::now(), copy_time: second, blocks };
        assert!(!copied(0).is_due_after(5 * second), "expensive");
        assert!(copied(0).is_due_after(6 * second));
        assert!(!copied(MAX_BLOCKS).is_due_after(second / 2), "as expensive as all blocks");
        assert!(copied(MAX_BLOCKS).is_due_after(second));
    }

    #[test]
    fn a_confirmation_begins_with_new_copies() {
        let folder = tempfile::tempdir().unwrap();
        let mut copies = copies_in(folder.path());
        let mut rng = Rng::with_seed(1);
        let mut next = |copies: &mut ExecutableCopies| {
            let folder = folder_of(&copies.paths(&mut rng));
            copies.copied.as_mut().unwrap().copy_time = Duration::from_secs(1_000);
            folder
        };
        let first = next(&mut copies);
        copies.end_round();
        assert_eq!(next(&mut copies), first);
        copies.expire();
        let second = next(&mut copies);
        assert_ne!(second, first);
        assert!(!first.exists());
    }

    #[test]
    fn originals_run_if_copying_fails() {
        let mut copies = ExecutableCopies::new(["/nowhere/old", "/nowhere/new"].map(PathBuf::from));
        let paths = copies.paths(&mut Rng::with_seed(1));
        assert_eq!(paths[1], Path::new("/nowhere/old"));
        assert_eq!(paths[2], Path::new("/nowhere/new"));
    }
}
