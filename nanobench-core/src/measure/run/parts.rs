//! The parts that threads have in an order: each does all of it.

use super::Run;
use crate::measure::around::Around;
use crate::measure::threads::{Covered, Meeting, covered};
use std::sync::Arc;

/// What is noted of one thread, in ticks.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfThread {
    /// With its clock running, at the median of the threads: what waits for a core meanwhile says nothing of the benchmark.
    pub(super) elapsed: u64,
    /// Left out of its timing, by the one that left out least.
    pub(super) aside: u64,
}

impl OfThread {
    fn of(parts: &[Run]) -> Option<OfThread> {
        let mut elapsed: Vec<u64> = parts.iter().map(|part| part.elapsed).collect();
        elapsed.sort_unstable();
        let aside = parts.iter().map(|part| part.aside().0).min()?;
        Some(OfThread { elapsed: elapsed[elapsed.len() / 2], aside })
    }
}

impl Run {
    /// What one of several threads does of the order, which is all of it. One is enough to say the throughput.
    pub(in crate::measure) fn part(&self, meeting: &Arc<Meeting>, is_first: bool) -> Run {
        let mut part = Run::new(self.clock, self.iterations, self.count, self.chunk);
        part.in_segment = self.in_segment;
        part.asks_throughput = self.asks_throughput && is_first;
        *part.around() =
            Around { caches: self.caches(), meeting: Some(Arc::clone(meeting)), ..Around::default() };
        part
    }

    /// Notes what the threads have noted: of each segment, the time in which any of them was at it. In that, all have done their
    /// calls, at once as far as there were cores for them. With a `TimeControl`, the mean of the times.
    pub(in crate::measure) fn take_parts(&mut self, parts: Vec<Run>) {
        let mean = |of: fn(&Run) -> u64| {
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
        self.of_thread = OfThread::of(&parts);
        for part in parts {
            self.throughput.extend(part.throughput);
        }
    }
}

/// The time of all segments, in which at least one thread was at it.
fn together(parts: &[Run]) -> Covered {
    let segment = |part: &Run, number| part.around.as_ref()?.segments.get(number).copied();
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
