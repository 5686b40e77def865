//! A benchmark that runs on several threads at once.

use super::thread_times::ThreadTimes;
use super::{Bencher, Timing};
use crate::measure::barrier::{self, SpinBarrier};
use crate::measure::coverage::Coverage;
use crate::measure::segment_hooks::SegmentHooks;
use std::sync::Arc;

impl Bencher {
    /// Runs all iterations on each of `threads` threads at once.
    ///
    /// The elapsed time of a segment is the time in which at least one thread ran it. In that time
    /// every thread has made its calls, so the total throughput is the number of threads divided by
    /// it, even with fewer cores than threads.
    pub(crate) fn run_on_threads(&mut self, threads: usize, benchmark: &(dyn Fn(&mut Bencher) + Sync)) {
        let barrier = Arc::new(SpinBarrier::new(threads, self.clock));
        let mut benchers = Vec::new();
        for thread in 0..threads {
            benchers.push(self.for_thread(&barrier, thread == 0));
        }
        barrier::run_at_once(&barrier, &mut benchers, &|bencher: &mut Bencher| {
            bencher.run(&mut |bencher| benchmark(bencher));
        });
        self.merge_threads(benchers);
    }

    /// Returns a copy for one of several threads. Only the first reports the throughput.
    fn for_thread(&self, barrier: &Arc<SpinBarrier>, is_first: bool) -> Bencher {
        let mut bencher = Bencher::new(self.clock, self.iterations, self.count, self.max_kept_results);
        bencher.max_segment_iterations = self.max_segment_iterations;
        bencher.needs_throughput = self.needs_throughput && is_first;
        *bencher.hooks_mut() = SegmentHooks {
            preparation: self.preparation(),
            barrier: Some(Arc::clone(barrier)),
            ..SegmentHooks::default()
        };
        bencher
    }

    /// Takes over the times of several threads: the time that their segments cover together. With a
    /// [`TimeControl`], segments differ from thread to thread, and a clock of its own has none, so
    /// the mean is used.
    fn merge_threads(&mut self, benchers: Vec<Bencher>) {
        let mean = |value: fn(&Bencher) -> u64| {
            let mut sum = 0;
            for bencher in &benchers {
                sum += u128::from(value(bencher));
            }
            (sum / benchers.len().max(1) as u128) as u64
        };
        self.timing = benchers.first().map_or(Timing::Plain, |bencher| bencher.timing);
        (self.elapsed, self.segments) = if self.timing != Timing::Plain {
            (mean(|bencher| bencher.elapsed), mean(|bencher| bencher.segments))
        } else {
            let mut threads = Vec::new();
            for bencher in &benchers {
                threads.extend(bencher.hooks.as_ref().map(|hooks| &*hooks.spans));
            }
            let Coverage { ticks, pieces } = Coverage::from_threads(&threads);
            (ticks, pieces)
        };
        self.kept_values = benchers.first().map(|bencher| bencher.kept_values).unwrap_or_default();
        let mut times = Vec::new();
        for mut bencher in benchers {
            times.push(ThreadTimes { elapsed: bencher.elapsed, untimed: bencher.untimed().0 });
            self.returns_value = self.returns_value.or(bencher.returns_value);
            self.throughput.append(&mut bencher.throughput);
        }
        self.thread_times = ThreadTimes::typical(&times);
    }
}
