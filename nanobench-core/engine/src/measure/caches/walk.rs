//! The order in which the lines of a buffer are written to empty the caches.

use super::LINE_SIZE;

/// Lines of a page of 4 KiB. A larger page is several of these.
const PAGE_LINES: usize = 4096 / LINE_SIZE;
/// Step from line to line within a page. It has no common divisor with `PAGE_LINES`.
const LINE_STEP: usize = 27;

/// An order of all lines of a buffer in which no line is near the previous one: from page to page
/// in steps of the golden ratio, and within a page in steps of `LINE_STEP`. So nothing is
/// prefetched, since prefetchers expect neighbouring lines or equal steps within a page.
#[derive(Debug)]
pub(super) struct Walk {
    lines: usize,
    pages: usize,
    page_step: usize,
}

impl Walk {
    #[inline]
    pub(super) fn new(lines: usize) -> Walk {
        let pages = lines.div_ceil(PAGE_LINES);
        // The first step from the golden ratio on that visits each page before it comes back to the
        // first.
        let golden = (pages as f64 * 0.618_034) as usize;
        let page_step =
            (golden.max(1)..).find(|step| greatest_common_divisor(*step, pages) <= 1).unwrap_or(1);
        Walk { lines, pages, page_step }
    }

    /// Returns the indices of all lines in this order, then in the opposite one.
    #[inline]
    pub(super) fn forth_and_back(&self) -> impl Iterator<Item = usize> {
        let positions = 0..self.pages * PAGE_LINES;
        positions.clone().chain(positions.rev()).filter_map(|position| self.line_at(position))
    }

    /// Returns the line at a position. `None` for positions beyond the end of the last page, if
    /// that is incomplete.
    #[inline]
    fn line_at(&self, position: usize) -> Option<usize> {
        let (page, line) = (position / PAGE_LINES, position % PAGE_LINES);
        let line = (page * self.page_step % self.pages) * PAGE_LINES + line * LINE_STEP % PAGE_LINES;
        (line < self.lines).then_some(line)
    }
}

#[inline]
fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::simulated::{Policy, SimulatedCache};
    use super::*;

    /// Lines of the simulated cache, and of the buffer that empties it.
    const LINES: usize = 16 * 1_024;
    /// Address of a benchmark's lines, far from the buffer.
    const BENCHMARK: usize = 1 << 30;

    /// Uses the lines of a benchmark, then those of a walk. Returns the number of the benchmark's
    /// lines that are still in the cache.
    fn surviving_lines(policy: Policy, walk: impl Iterator<Item = usize>) -> usize {
        let mut cache = SimulatedCache::new(LINES, 16, policy);
        // A quarter of the cache, used often enough to be protected.
        let benchmark = BENCHMARK..BENCHMARK + LINES / 4;
        (0..3).for_each(|_| benchmark.clone().for_each(|line| cache.access(line)));
        walk.for_each(|line| cache.access(line));
        benchmark.filter(|line| cache.contains(*line)).count()
    }

    #[test]
    fn each_line_comes_once_forth_and_once_back() {
        for lines in [0, 1, 2, 63, 64, 65, 128, 1_000, 4_096, 12_345] {
            let walk: Vec<usize> = Walk::new(lines).forth_and_back().collect();
            let (forth, back) = walk.split_at(walk.len() / 2);
            assert!(forth.iter().eq(back.iter().rev()), "{lines}");
            let mut forth = forth.to_vec();
            forth.sort_unstable();
            assert!(forth.into_iter().eq(0..lines), "{lines}");
        }
    }

    #[test]
    fn no_line_is_near_the_one_before() {
        let walk: Vec<usize> = Walk::new(100 * PAGE_LINES).forth_and_back().collect();
        let forth = &walk[..walk.len() / 2];
        assert!(forth.windows(2).all(|pair| pair[0].abs_diff(pair[1]) > 2));
    }

    #[test]
    fn a_walk_of_the_size_of_the_cache_evicts_every_line() {
        for policy in [Policy::LeastRecentlyUsed, Policy::ProtectReused] {
            assert_eq!(surviving_lines(policy, [].into_iter()), LINES / 4, "{policy:?}");
            assert_eq!(surviving_lines(policy, Walk::new(LINES).forth_and_back()), 0, "{policy:?}");
        }
    }

    #[test]
    fn a_walk_of_half_the_size_leaves_lines() {
        for policy in [Policy::LeastRecentlyUsed, Policy::ProtectReused] {
            assert!(surviving_lines(policy, Walk::new(LINES / 2).forth_and_back()) > 0, "{policy:?}");
        }
    }

    #[test]
    fn a_single_pass_leaves_lines_in_a_cache_that_protects_reused_ones() {
        let walk = Walk::new(LINES);
        let forth = walk.forth_and_back().take(LINES);
        assert!(surviving_lines(Policy::ProtectReused, forth) > 0);
    }
}
