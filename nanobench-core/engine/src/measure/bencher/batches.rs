//! Batches of inputs, for loops that the caller writes because they `await`.

use super::Bencher;
use crate::time::Ticks;
use std::mem;

impl Bencher {
    /// Ends a segment after this number of iterations.
    pub fn limit_segments(&mut self, iterations: u64) {
        self.max_segment_iterations = self.max_segment_iterations.min(iterations.max(1));
    }

    /// Begins calls that keep inputs and results until the end of their batch. Returns the number of
    /// iterations.
    #[inline]
    pub fn first_batch<I, T>(&mut self) -> u64 {
        self.returns_value = Some(size_of::<T>() > 0);
        self.kept_values.input_size = size_of::<I>();
        self.kept_values.result_size = size_of::<T>();
        self.kept_values.results_own_memory = mem::needs_drop::<T>();
        self.iterations
    }

    /// Returns the number of iterations of the next batch.
    pub fn batch_length(&self, remaining: u64) -> usize {
        self.next_segment_length(remaining)
    }

    /// Starts the clock for a batch.
    #[inline]
    pub fn start_batch(&mut self) -> Ticks {
        self.begin_segment();
        self.clock.start()
    }

    /// Stops the clock that was started for a batch.
    #[inline]
    pub fn end_batch(&mut self, start: Ticks) {
        self.end_segment(start, self.clock.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Clock;

    #[test]
    fn batches_end_at_the_limit_and_after_all_iterations() {
        let lengths = |kept: u64, limit: u64| {
            let mut bencher = Bencher::new(Clock::Scripted, 10, 1, kept);
            bencher.limit_segments(limit);
            let (mut lengths, mut remaining) = (Vec::new(), bencher.first_batch::<u8, String>());
            while remaining > 0 {
                let number = bencher.batch_length(remaining);
                let start = bencher.start_batch();
                bencher.end_batch(start);
                remaining -= number as u64;
                lengths.push(number);
            }
            assert_eq!(bencher.segments, lengths.len() as u64);
            lengths
        };
        assert_eq!(lengths(4, 100), [4, 4, 2]);
        assert_eq!(lengths(100, 7), [7, 3]);
        assert_eq!(lengths(4, 1).len(), 10);
    }
}
