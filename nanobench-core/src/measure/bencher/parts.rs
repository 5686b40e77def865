//! The parts that threads have in an order: each does all of it.

use super::Bencher;
use crate::measure::segment_hooks::SegmentHooks;
use crate::measure::threads::{Covered, SpinBarrier, covered};
use std::sync::Arc;

/// What is noted of one thread, in ticks.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThreadShare {
    /// With its clock running, at the median of the threads: what waits for a core meanwhile says nothing of the benchmark.
    pub(super) elapsed: u64,
    /// Left out of its timing, by the one that left out least.
    pub(super) aside: u64,
}

impl ThreadShare {
    fn of(parts: &[Bencher]) -> Option<ThreadShare> {
        let mut elapsed: Vec<u64> = parts.iter().map(|part| part.elapsed).collect();
        elapsed.sort_unstable();
        let aside = parts.iter().map(|part| part.aside().0).min()?;
        Some(ThreadShare { elapsed: elapsed[elapsed.len() / 2], aside })
    }
}

impl Bencher {
    /// What one of several threads does of the order, which is all of it. One is enough to say the throughput.
    pub(in crate::measure) fn part(&self, meeting: &Arc<SpinBarrier>, is_first: bool) -> Bencher {
        let mut part = Bencher::new(self.clock, self.iterations, self.count, self.chunk);
        part.in_segment = self.in_segment;
        part.needs_throughput = self.needs_throughput && is_first;
        *part.around() = SegmentHooks {
            caches: self.caches(),
            meeting: Some(Arc::clone(meeting)),
            ..SegmentHooks::default()
        };
        part
    }

    /// Notes what the threads have noted: of each segment, the time in which any of them was at it. In that, all have done their
    /// calls, at once as far as there were cores for them. With a `TimeControl`, the mean of the times.
    pub(in crate::measure) fn take_parts(&mut self, parts: Vec<Bencher>) {
        let mean = |of: fn(&Bencher) -> u64| {
            let sum: u128 = parts.iter().map(|part| u128::from(of(part))).sum();
            (sum / parts.len().max(1) as u128) as u64
        };
        self.controlled = parts.iter().any(|part| part.controlled);
        let Covered { ticks, pieces } = if self.controlled {
            Covered { ticks: mean(|part| part.elapsed), pieces: mean(|part| part.segments) }
        } else {
            together(&parts)
        };
        (self.elapsed, self.segments) = (ticks, pieces);
        self.of_thread = ThreadShare::of(&parts);
        for part in parts {
            self.throughput.extend(part.throughput);
        }
    }
}

/// The time of all segments, in which at least one thread was at it.
fn together(parts: &[Bencher]) -> Covered {
    let segment = |part: &Bencher, number| part.around.as_ref()?.segments.get(number).copied();
    let mut sum = Covered::default();
    for number in 0.. {
        let segments: Vec<_> = parts.iter().filter_map(|part| segment(part, number)).collect();
        if segments.is_empty() {
            break;
        }
        let Covered { ticks, pieces } = covered(segments);
        sum.ticks += ticks;
        sum.pieces += pieces;
    }
    sum
}
