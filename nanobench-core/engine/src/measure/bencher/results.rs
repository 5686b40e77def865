//! Segments whose results are kept until the clock has stopped.

use super::Bencher;
use super::alignment::align_following_code;
use std::hint::black_box;
use std::mem::{self, MaybeUninit};

impl Bencher {
    /// Lets `fill` write results while the clock runs, as many at a time as may be kept, after
    /// `prepare` has been called with their number. Results are dropped while the clock is stopped.
    /// `fill` has to write every element of its slice.
    #[inline(always)]
    pub(super) fn fill_results<S: Default, T>(
        &mut self,
        mut prepare: impl FnMut(&mut S, usize),
        mut fill: impl FnMut(&mut S, &mut [MaybeUninit<T>]),
    ) {
        let mut remaining = self.iterations;
        let (mut state, mut results) = (S::default(), Vec::new());
        while remaining > 0 {
            let number = self.next_segment_length(remaining);
            prepare(&mut state, number);
            black_box(&mut state);
            self.fill_segment(&mut results, number, |slots| fill(&mut state, slots));
            remaining -= number as u64;
        }
    }

    /// Returns the number of results to keep in the next segment.
    pub(super) fn next_segment_length(&self, remaining: u64) -> usize {
        let number = self.max_kept_results.min(self.max_segment_iterations).min(remaining);
        // Reserving space panics for a number of results that doesn't fit into a usize.
        usize::try_from(number).unwrap_or(usize::MAX)
    }

    /// Lets `fill` write `number` results while the clock runs, and drops them after it has
    /// stopped. `fill` has to write every element of its slice.
    #[inline(always)]
    fn fill_segment<T>(
        &mut self,
        results: &mut Vec<T>,
        number: usize,
        fill: impl FnOnce(&mut [MaybeUninit<T>]),
    ) {
        self.kept_values.result_size = mem::size_of::<T>();
        self.kept_values.results_own_memory = mem::needs_drop::<T>();
        results.reserve_exact(number);
        let slots = &mut results.spare_capacity_mut()[..number];
        self.begin_segment();
        let start = self.clock.start();
        align_following_code();
        fill(slots);
        black_box(slots);
        self.end_segment(start, self.clock.end());
        // SAFETY: `fill` has written the first `number` elements, which are within the capacity.
        #[expect(unsafe_code, reason = "a checked push would cost time inside the loop")]
        unsafe {
            results.set_len(number);
        }
        results.clear();
    }
}

/// A segment of [`Bencher::call_with_mut`], for the calls with its inputs.
#[derive(Debug)]
pub struct Segment<'b>(pub(super) &'b mut Bencher);

impl Segment<'_> {
    /// Calls `function` with a reference to each input and the count, with the clock running.
    /// Results, which may borrow from the inputs, are dropped after it has stopped.
    #[inline(always)]
    pub fn call<'i, I, T>(self, inputs: &'i mut [I], mut function: impl FnMut(&'i mut I, u64) -> T) {
        self.0.returns_value = Some(size_of::<T>() > 0);
        let count = black_box(self.0.count);
        self.0.fill_segment(&mut Vec::new(), inputs.len(), |results| {
            for (result, input) in results.iter_mut().zip(inputs) {
                result.write(function(input, count));
            }
        });
    }
}
