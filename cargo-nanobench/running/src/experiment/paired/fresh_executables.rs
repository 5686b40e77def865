//! Fresh executables for the processes of a block: layouts of the two sides if they can be made and
//! are of use, or else copies, unless only large changes count. All benchmarks of the two share them,
//! so that a large suite doesn't fill the disk.
//!
//! The linker's choice of where functions lie affects their time by several per cent, and the place
//! of a file in memory and the length of its path by up to half a per cent, for as long as the file
//! exists. Files that are renewed often, under names of one length, turn both into a part of the
//! noise between launches.

use super::benchmark::{PROCESSES, runs_baseline};
use crate::relink::{LayoutError, Layouts, RunningLinks};
use crate::scratch::ScratchFolder;
use crate::warnings;
use nanobench::Rng;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use verdicts::{FilesOfBlock, Renewal};

/// Files that take longer serve several rounds, even if new ones are worth their cost.
const MAX_TIME_FOR_A_ROUND: Duration = Duration::from_millis(500);

/// The kind of files that processes run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Files {
    Originals,
    Copies,
    Layouts,
}

/// The files that the next block runs. Dropping this value deletes those that it made.
#[derive(Debug)]
pub(crate) struct FreshExecutables {
    /// The executables of baseline and candidate.
    originals: [PathBuf; 2],
    kind: Files,
    /// The originals are to run.
    runs_originals: bool,
    /// `None` if no layouts can be made.
    layouts: Option<Arc<Layouts>>,
    /// Baseline and candidate are the same file, so that each copy may run on either side.
    are_identical: bool,
    /// `None` if the originals run: before the first files, if copying failed, or in any case.
    folder: Option<ScratchFolder>,
    /// `None` if new files are due in any case.
    made: Option<FileUse>,
    /// Layouts for the next blocks, made while the present ones are measured.
    next: Option<NextLayouts>,
    /// The number of blocks in this round and in the last one.
    blocks: [usize; 2],
    /// A block of this round needs files that no other round has.
    are_of_a_round: bool,
    /// Layouts for the next blocks are made beside the present one.
    makes_next: bool,
    /// A random number, another one for new files. It is the seed of layouts.
    generation: u64,
    /// The file of each process, as long as these files serve.
    dealt: [usize; PROCESSES],
}

/// Layouts that are being made.
#[derive(Debug)]
struct NextLayouts {
    // Dropped first: the linkers write to the folder.
    links: RunningLinks,
    folder: ScratchFolder,
    seed: u64,
}

/// The cost of the files of a block, and their use so far.
#[derive(Debug)]
struct FileUse {
    at: Instant,
    /// The time that it took to make them.
    time: Duration,
    /// The largest number of blocks of any benchmark that used the files.
    blocks: u32,
}

impl FileUse {
    /// Creates the value for files that were begun at this time and not used yet.
    fn since(begin: Instant) -> FileUse {
        FileUse { at: Instant::now(), time: begin.elapsed(), blocks: 0 }
    }

    /// Returns whether the files are renewed now. Within a round, no benchmark runs the same files twice.
    fn is_due(&self, renewal: Renewal) -> bool {
        self.blocks > 0 && renewal.is_due(self.at.elapsed(), self.time)
    }

    /// Returns whether each round may have files of its own, however short it is.
    fn are_affordable(&self) -> bool {
        self.time <= MAX_TIME_FOR_A_ROUND
    }
}

impl FreshExecutables {
    /// Creates the value without any files.
    pub(super) fn new(
        originals: [PathBuf; 2],
        kind: Files,
        layouts: Option<Arc<Layouts>>,
        are_identical: bool,
    ) -> FreshExecutables {
        FreshExecutables {
            originals,
            kind,
            runs_originals: kind == Files::Originals,
            layouts,
            are_identical,
            folder: None,
            made: None,
            next: None,
            blocks: [0; 2],
            are_of_a_round: false,
            makes_next: false,
            generation: 0,
            dealt: std::array::from_fn(|process| process),
        }
    }

    /// Returns whether the files are layouts: pairs of processes have one each.
    pub(super) fn are_layouts(&self) -> bool {
        self.layouts.is_some()
    }

    /// Returns what the evidence of the present block needs to know of its files. Each pair of the originals
    /// counts if they are to run: what their places in memory add is below the changes that are tested.
    pub(super) fn of_block(&self) -> FilesOfBlock {
        FilesOfBlock {
            generation: self.generation,
            are_spent: self.runs_originals || self.are_of_a_round && self.folder.is_some(),
            are_layouts: self.are_layouts(),
        }
    }

    /// Notes that each benchmark may have run a block with the current files, if any has.
    pub(crate) fn end_round(&mut self) {
        if self.blocks[0] == 0 {
            return;
        }
        self.made.iter_mut().for_each(|made| made.blocks += 1);
        self.blocks = [0, self.blocks[0]];
        if std::mem::take(&mut self.are_of_a_round) {
            self.made = None;
        }
    }

    /// Returns a path for each process: two files of the baseline, then two of the candidate. Their
    /// place in it is random. Returns the originals if copying fails.
    pub(super) fn paths(&mut self, renewal: Renewal, rng: &mut Rng) -> [PathBuf; PROCESSES] {
        let are_next_ready = self.next.as_mut().is_some_and(|next| !next.links.are_running());
        let may_wait = !self.are_layouts() || renewal > Renewal::IfOld;
        let is_due = |made: &FileUse| if may_wait { made.is_due(renewal) } else { are_next_ready };
        if self.made.as_ref().is_none_or(is_due) {
            self.renew(rng);
        }
        self.makes_next = renewal > Renewal::Never;
        self.are_of_a_round |=
            renewal == Renewal::EachRound && self.made.as_ref().is_some_and(FileUse::are_affordable);
        self.present_paths()
    }

    fn present_paths(&mut self) -> [PathBuf; PROCESSES] {
        self.blocks[0] += 1;
        self.dealt.map(|file| match &self.folder {
            Some(folder) => folder.path().join(name(file)),
            None => self.original(file).to_owned(),
        })
    }

    /// Returns whether the next block would have to wait for its layouts, if it began now.
    pub(super) fn would_wait(&mut self) -> bool {
        let is_needed_next = self.blocks[1] <= 1;
        is_needed_next && self.next.as_mut().is_some_and(|next| next.links.are_running())
    }

    /// Starts to make the next layouts, while the present block samples on `core`, if new ones are
    /// needed: `for_each_block`, or now and then, since links slow down the start of other processes.
    pub(super) fn start_next(&mut self, core: usize, for_each_block: bool, rng: &mut Rng) {
        let are_old = self.made.as_ref().is_none_or(|made| made.is_due(Renewal::IfOld));
        let are_due = self.makes_next && self.next.is_none() && (for_each_block || are_old);
        let Some(layouts) = self.layouts.clone().filter(|_| are_due) else { return };
        // If that fails, it fails once more when they are due.
        if let Ok(next) = self.start_links(&layouts, rng) {
            next.links.avoid_core(core);
            self.next = Some(next);
        }
    }

    fn renew(&mut self, rng: &mut Rng) {
        let begin = Instant::now();
        // The old files make room for the new ones.
        self.folder = None;
        let mut generation = rng.next_u64();
        if let Some(layouts) = self.layouts.clone() {
            match self.link(&layouts, rng) {
                Ok((folder, seed)) => {
                    self.folder = Some(folder);
                    generation = seed;
                }
                Err(error) => {
                    warnings::warn_once("layouts".to_owned(), error);
                    self.layouts = None;
                }
            }
        }
        if self.folder.is_none() && self.kind != Files::Originals {
            match self.copy(rng) {
                Ok(folder) => self.folder = Some(folder),
                Err(error) => {
                    self.warn(&error);
                    self.kind = Files::Originals;
                }
            }
        }
        self.made = Some(FileUse::since(begin));
        // The same files again, as long as copying fails, are one cluster.
        let are_others = self.folder.is_some() || self.runs_originals;
        self.generation = if are_others { generation } else { 0 };
        self.dealt = deal(rng, self.are_layouts(), self.are_identical);
    }

    /// Returns new layouts, those that were begun if there are any.
    fn link(&mut self, layouts: &Layouts, rng: &mut Rng) -> Result<(ScratchFolder, u64), LayoutError> {
        let next = self.next.take().map_or_else(|| self.start_links(layouts, rng), Ok)?;
        next.links.finish()?;
        Ok((next.folder, next.seed))
    }

    /// Starts to link two layouts of each side. Each pair of processes has a layout of its own, which
    /// is the same for both sides as far as their functions are.
    fn start_links(&self, layouts: &Layouts, rng: &mut Rng) -> Result<NextLayouts, LayoutError> {
        let folder = ScratchFolder::create_in(self.parent())?;
        let path = |process: usize| folder.path().join(name(process));
        let seed = rng.next_u64();
        let paths = [[path(0), path(2)], [path(1), path(3)]];
        let links = layouts.start_links(paths, &mut Rng::with_seed(seed))?;
        Ok(NextLayouts { links, folder, seed })
    }

    /// Warns that a comparison has no copies, once for each folder.
    fn warn(&self, error: &io::Error) {
        let folder = self.parent().display();
        warnings::warn_once(
            format!("copies of executables in {folder}"),
            format_args!(
                "failed to copy executables in {folder}: {error}; each side runs the same file again and \
                 again, whose place in memory may look like a change of up to half a per cent; free space \
                 there, or make the folder writable"
            ),
        );
    }

    /// Returns the folder in which the files are made. Executables can run in the folder of the
    /// candidate, but perhaps not in a temporary one.
    fn parent(&self) -> &Path {
        self.originals[1].parent().unwrap_or(Path::new("."))
    }

    fn copy(&self, rng: &mut Rng) -> io::Result<ScratchFolder> {
        let folder = ScratchFolder::create_in(self.parent())?;
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

/// Deals the files to the processes of a block: those of a side at random, or all of them if they are
/// identical, and layouts by pairs.
fn deal(rng: &mut Rng, are_layouts: bool, are_identical: bool) -> [usize; PROCESSES] {
    let mut dealt: [usize; PROCESSES] = std::array::from_fn(|process| process);
    if are_identical {
        rng.shuffle(&mut dealt);
        return dealt;
    }
    let (baseline, candidate) = dealt.split_at_mut(PROCESSES / 2);
    rng.shuffle(baseline);
    if are_layouts {
        // Both processes of a pair have the same one.
        candidate.copy_from_slice(&[0, 1].map(|pair| baseline[pair] + PROCESSES / 2));
    } else {
        rng.shuffle(candidate);
    }
    dealt
}

/// Returns the name of a file. All names have the same length.
fn name(process: usize) -> String {
    format!("bench-{process}{}", std::env::consts::EXE_SUFFIX)
}

#[cfg(test)]
mod tests;
