//! Memory: latency and bandwidth of each level, page faults, cache lines that two cores share.

use crate::ping_pong::{PingPong, Spinning};
use memmap2::MmapMut;
use nanobench::{Rng, TimeControl, nanobench};
use std::hint::black_box;

/// A load from the first cache. Like the next three: a walk through memory in random order, in
/// which each cache line holds the index of the next. A pointer may save a cycle.
#[nanobench(name = "load from 16 KiB (L1)", setup = || Walk::through(16 << 10), every = "benchmark")]
fn first_cache(count: u64, walk: &mut Walk) -> u32 {
    walk.walk(count)
}

/// A load from 256 KiB, which the second cache of most machines holds.
#[nanobench(name = "load from 256 KiB (L2)", setup = || Walk::through(256 << 10), every = "benchmark")]
fn second_cache(count: u64, walk: &mut Walk) -> u32 {
    walk.walk(count)
}

/// A load from 4 MiB, which the last cache of most machines holds.
#[nanobench(name = "load from 4 MiB (L3)", setup = || Walk::through(4 << 20), every = "benchmark")]
fn last_cache(count: u64, walk: &mut Walk) -> u32 {
    walk.walk(count)
}

/// A load from 256 MiB, more than most caches hold, with the look-up of its page.
#[nanobench(
    name = "load from 256 MiB (main memory)",
    setup = || Walk::through(256 << 20), every = "benchmark"
)]
fn main_memory(count: u64, walk: &mut Walk) -> u32 {
    walk.walk(count)
}

/// Reading 64 MiB from one end to the other.
#[nanobench(
    name = "read 64 MiB in order",
    setup = || vec![1_u64; WORDS], every = "benchmark", bytes = WORDS * 8
)]
fn read_bandwidth(words: &[u64]) -> u64 {
    words.iter().fold(0, |all, word| all ^ word)
}

/// Writing 64 MiB from one end to the other.
#[nanobench(
    name = "write 64 MiB in order",
    setup = || vec![1_u64; WORDS], every = "benchmark", bytes = WORDS * 8
)]
fn write_bandwidth(words: &mut [u64]) {
    words.fill(black_box(2));
}

/// The first write to a page that the system has promised, but not yet given.
#[nanobench(name = "page fault", batch = PAGES)]
fn page_fault(tc: &mut TimeControl) {
    tc.pause();
    let mut pages = MmapMut::map_anon(PAGES * PAGE).expect("the system maps 1 MiB of memory");
    tc.resume();
    for page in pages.chunks_mut(PAGE) {
        page[0] = 1;
    }
    tc.pause();
    drop(pages);
    tc.resume();
}

/// A cache line that two cores write in turn: there and back. Needs two cores.
#[nanobench(
    name = "cache line to another core and back",
    setup = PingPong::<Spinning>::start, every = "benchmark"
)]
fn bounced_line(count: u64, partner: &mut PingPong<Spinning>) {
    partner.exchange(count);
}

const WORDS: usize = (64 << 20) / 8;
const PAGE: usize = 4_096;
const PAGES: usize = 256;

/// The size of a cache line, or twice it: processors fetch neighbours.
const LINE: usize = 128;

/// A closed walk in random order.
struct Walk {
    /// The index of the next place, at the start of each line.
    next: Vec<u32>,
    at: u32,
}

impl Walk {
    /// Makes a walk that visits each line of that many bytes once.
    fn through(bytes: usize) -> Self {
        let step = LINE / size_of::<u32>();
        let mut order: Vec<u32> = (0..bytes / LINE).map(|line| (line * step) as u32).collect();
        Rng::with_seed(1).shuffle(&mut order);
        let mut next = vec![0; bytes / size_of::<u32>()];
        for (from, to) in order.iter().zip(order.iter().cycle().skip(1)) {
            next[*from as usize] = *to;
        }
        Self { next, at: 0 }
    }

    fn walk(&mut self, count: u64) -> u32 {
        for _ in 0..count {
            self.at = self.next[self.at as usize];
        }
        self.at
    }
}
