//! Empties the caches, so that an iteration finds nothing that earlier iterations have left there.
//!
//! No instruction does that in user code. So the content of the caches is replaced: data by the
//! lines of a buffer, and instructions and branch predictions by those of other code.

mod code;
#[cfg(test)]
mod simulated;
mod size;
mod walk;

use super::TimedCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use walk::Walk;

/// Bytes of a cache line. Some caches have lines of half that size, or fetch two at a time.
const LINE_SIZE: usize = 64;

/// A way to empty the caches of this machine.
#[derive(Debug)]
pub(crate) struct Caches {
    /// Number of bytes to write.
    size: u64,
    buffer: OnceLock<Vec<Line>>,
    /// Seed of the branches of the code that is run.
    seed: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Line(AtomicU64);

impl Caches {
    /// Returns the number of bytes that replace the content of all caches of this machine.
    pub(crate) fn default_size() -> u64 {
        static SIZE: OnceLock<u64> = OnceLock::new();
        *SIZE.get_or_init(size::last_level_size)
    }

    /// Returns caches that are emptied by writing `size` bytes, or [`Caches::default_size`]. All
    /// callers with the same size share a buffer. It is allocated when it is first needed, and
    /// lives as long as the process.
    pub(crate) fn with_size(size: Option<u64>) -> &'static Caches {
        static ALL: Mutex<Vec<&'static Caches>> = Mutex::new(Vec::new());
        let size = size.unwrap_or_else(Caches::default_size);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.iter().find(|caches| caches.size == size) {
            return known;
        }
        let new: &Caches =
            Box::leak(Box::new(Caches { size, buffer: OnceLock::new(), seed: AtomicU64::new(1) }));
        all.push(new);
        new
    }

    /// Returns the number of bytes that are written.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Replaces the content of the caches.
    ///
    /// Writes the buffer twice: forwards, then backwards. Some caches keep lines that have been
    /// used again for longer than lines that have been used once, so a single pass would not evict
    /// the lines of the benchmark. The second pass reuses the lines that the first one has left in
    /// the caches. With a buffer of the size of the last level, a walk through other data after two
    /// passes is as slow as with a buffer twice as large, and as after flushing each of its lines;
    /// after a single pass it was up to a third faster.
    #[inline(never)]
    pub(crate) fn empty(&self) {
        let lines = self.buffer.get_or_init(|| {
            let number = usize::try_from(self.size).unwrap_or(usize::MAX).div_ceil(LINE_SIZE);
            let mut lines = Vec::new();
            lines.resize_with(number, Line::default);
            lines
        });
        (TimedCode::get().write_lines)(lines);
        self.seed.store(code::run(self.seed.load(Relaxed)), Relaxed);
        #[cfg(test)]
        crate::time::scripted::advance(1_000);
    }

    /// Returns the number of writes to each line.
    #[cfg(test)]
    pub(super) fn writes(&self) -> Vec<u64> {
        let lines = self.buffer.get().map_or(&[][..], Vec::as_slice);
        lines.iter().map(|Line(writes)| writes.load(Relaxed)).collect()
    }
}

/// Writes all lines, forwards and then backwards.
#[inline]
pub(super) fn write_lines(lines: &[Line]) {
    Walk::new(lines.len()).forth_and_back().for_each(|line| lines[line].write());
}

impl Line {
    #[inline]
    fn write(&self) {
        let Line(writes) = self;
        writes.store(writes.load(Relaxed).wrapping_add(1), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_written_twice() {
        let caches = Caches::with_size(Some(1_000));
        caches.empty();
        assert_eq!(caches.writes(), [2; 16]);
    }

    #[test]
    fn callers_with_the_same_size_share_a_buffer() {
        assert!(std::ptr::eq(Caches::with_size(Some(2_000)), Caches::with_size(Some(2_000))));
    }

    #[test]
    fn the_default_size_exceeds_the_private_caches_of_a_core() {
        assert!(Caches::default_size() >= 1 << 20);
    }
}
