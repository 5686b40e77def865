//! A load on another core while benchmarks run: `--load`.

use crate::environment::machine;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// The number of bytes for a load on the memory, far more than caches hold.
const MEMORY: usize = 256 << 20;
/// The size of the last cache, if it is unknown.
const USUAL_CACHE: u64 = 32 << 20;
/// The size of a line of a cache in words.
const LINE: usize = 8;
/// The number of steps between two looks at the end of the run.
const STEPS: usize = 1 << 16;

/// A kind of load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadBeside {
    /// Computes, without memory.
    Cpu,
    /// Writes to more memory than caches hold, in order.
    Memory,
    /// Writes at random to as much memory as the last cache holds.
    Cache,
}

/// A load that runs until it is dropped.
#[derive(Debug)]
pub struct RunningLoad {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LoadBeside {
    /// The key of the context that stores it with a run.
    pub const CONTEXT: &'static str = "load";

    /// Returns the word for it on the command line.
    pub fn word(self) -> &'static str {
        match self {
            LoadBeside::Cpu => "cpu",
            LoadBeside::Memory => "memory",
            LoadBeside::Cache => "cache",
        }
    }

    /// Starts the load in a thread of this process, which is idle while a benchmark runs.
    pub fn start(self) -> RunningLoad {
        let is_over = Arc::new(AtomicBool::new(false));
        let its_end = Arc::clone(&is_over);
        let thread = thread::spawn(move || self.run(&its_end));
        RunningLoad { is_over, thread: Some(thread) }
    }

    fn run(self, is_over: &AtomicBool) {
        let mut words = vec![1_u64; self.size() / size_of::<u64>()];
        let (mut place, mut number) = (0, 1_u64);
        while !is_over.load(Ordering::Relaxed) {
            for _ in 0..STEPS {
                number = black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
                place = match self {
                    LoadBeside::Cpu => 0,
                    LoadBeside::Memory => (place + LINE) % words.len(),
                    LoadBeside::Cache => (number >> 32) as usize % words.len(),
                };
                words[place] ^= number;
            }
        }
        black_box(&words);
    }

    /// Returns the number of bytes that it writes to.
    fn size(self) -> usize {
        match self {
            LoadBeside::Cpu => size_of::<u64>(),
            LoadBeside::Memory => MEMORY,
            LoadBeside::Cache => {
                // The sweep goes to twice the last cache.
                let last = machine::cache_sweep().last().map_or(USUAL_CACHE, |size| size / 2);
                usize::try_from(last).unwrap_or(MEMORY).clamp(1 << 20, MEMORY)
            }
        }
    }
}

impl Drop for RunningLoad {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It doesn't panic.
            _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_ends_with_its_value() {
        for load in [LoadBeside::Cpu, LoadBeside::Cache] {
            let running = load.start();
            let is_over = Arc::clone(&running.is_over);
            drop(running);
            assert!(is_over.load(Ordering::Relaxed) && Arc::strong_count(&is_over) == 1, "{load:?}");
        }
    }
}
