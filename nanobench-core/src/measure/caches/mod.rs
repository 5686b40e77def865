//! Emptying the caches, so that an iteration finds nothing of what earlier ones have left there.
//!
//! There is no instruction for that which a program may use. So what is in the caches is replaced: data by the lines of a
//! buffer, what the core knows of code by other code.

mod code;
mod size;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Bytes of a line, or a part of one, or two of them.
const LINE: usize = 64;
/// Lines of a page. A larger page is several of these.
const PAGE: usize = 4096 / LINE;

/// What is written to empty the caches.
#[derive(Debug)]
pub(crate) struct Caches {
    /// In bytes.
    size: u64,
    buffer: OnceLock<Vec<Line>>,
    /// For the branches.
    seed: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Line(AtomicU64);

impl Caches {
    /// How much is written to empty all of this machine's caches, in bytes.
    pub(crate) fn default_size() -> u64 {
        static SIZE: OnceLock<u64> = OnceLock::new();
        *SIZE.get_or_init(size::of_last_level)
    }

    /// What writes `size` bytes, or as many as it takes. All who write as many share a buffer, which lives as long as the
    /// process; it is made when it is used.
    pub(crate) fn with_size(size: Option<u64>) -> &'static Caches {
        static ALL: Mutex<Vec<&'static Caches>> = Mutex::new(Vec::new());
        let size = size.unwrap_or_else(Caches::default_size);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = all.iter().find(|caches| caches.size == size) {
            return same;
        }
        let new: &Caches =
            Box::leak(Box::new(Caches { size, buffer: OnceLock::new(), seed: AtomicU64::new(1) }));
        all.push(new);
        new
    }

    /// How much is written, in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Replaces what is in the caches.
    ///
    /// First forth, then back: what the first pass has left in the last level is used a second time by the other. A cache that
    /// keeps what is used again for longer than what just passes would keep the benchmark's lines otherwise. With the size of the
    /// last level, a walk after that is as slow as after twice as much, and no faster than after flushing each of its lines;
    /// after one pass it was up to a third faster.
    #[inline(never)]
    pub(crate) fn empty(&self) {
        let lines = self.buffer.get_or_init(|| {
            let number = usize::try_from(self.size).unwrap_or(usize::MAX).div_ceil(LINE);
            std::iter::repeat_with(Line::default).take(number).collect()
        });
        let order = Order::of(lines.len());
        (0..order.places).filter_map(|place| order.line(place)).for_each(|line| write(&lines[line]));
        (0..order.places).rev().filter_map(|place| order.line(place)).for_each(|line| write(&lines[line]));
        self.seed.store(code::run(self.seed.load(Relaxed)), Relaxed);
        #[cfg(test)]
        crate::time::scripted::advance(1_000);
    }
}

fn write(Line(line): &Line) {
    line.store(line.load(Relaxed).wrapping_add(1), Relaxed);
}

/// An order of all lines, in which none is near the one before: page after page, as far apart as the golden ratio takes
/// them, and within a page back and forth. What a core fetches ahead is what comes next or lies beside; neither is.
#[derive(Debug)]
struct Order {
    lines: usize,
    pages: usize,
    step: usize,
    /// Places of lines, of which the last page may not have all.
    places: usize,
}

impl Order {
    fn of(lines: usize) -> Order {
        let pages = lines.div_ceil(PAGE);
        // The nearest to the golden ratio that visits each page before it comes back to the first.
        let golden = (pages as f64 * 0.618_034) as usize;
        let step = (golden.max(1)..).find(|step| divisor(*step, pages) <= 1).unwrap_or(1);
        Order { lines, pages, step, places: pages * PAGE }
    }

    /// The line at a place, where there is one.
    #[inline]
    fn line(&self, place: usize) -> Option<usize> {
        /// Has no divisor in common with the lines of a page.
        const WITHIN: usize = 27;
        let (page, within) = (place / PAGE, place % PAGE);
        let line = (page * self.step % self.pages) * PAGE + within * WITHIN % PAGE;
        (line < self.lines).then_some(line)
    }
}

/// The greatest common divisor.
fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_comes_once() {
        for lines in [0, 1, 2, 63, 64, 65, 128, 1_000, 4_096, 12_345] {
            let order = Order::of(lines);
            let mut seen: Vec<usize> = (0..order.places).filter_map(|place| order.line(place)).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..lines), "{lines}");
        }
    }

    #[test]
    fn no_line_is_beside_the_one_before() {
        let order = Order::of(100 * PAGE);
        let lines: Vec<usize> = (0..order.places).filter_map(|place| order.line(place)).collect();
        assert!(lines.windows(2).all(|pair| pair[0].abs_diff(pair[1]) > 2));
    }

    #[test]
    fn writes_each_line_twice_and_shares_the_buffer() {
        let caches = Caches::with_size(Some(1_000));
        assert!(std::ptr::eq(caches, Caches::with_size(Some(1_000))));
        caches.empty();
        let lines = caches.buffer.get().unwrap();
        assert_eq!(lines.len(), 16);
        assert!(lines.iter().all(|Line(line)| line.load(Relaxed) == 2));
    }

    #[test]
    fn the_default_is_more_than_any_cache_of_a_core() {
        assert!(Caches::default_size() >= 1 << 20);
    }
}
