//! The time that the segments of several threads cover together.

use crate::time::Ticks;

/// The start and end of a segment.
pub(super) type Span = (Ticks, Ticks);

/// The union of spans.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Coverage {
    /// Its length.
    pub(super) ticks: u64,
    /// Number of disjoint pieces. Each piece contains the cost of one clock reading, because
    /// overlapping segments read the clock at the same time.
    pub(super) pieces: u64,
}

impl Coverage {
    /// Returns the union of `spans`. Gaps are left out: in a gap, threads wait for one that has no
    /// core yet, which can take a thousand times as long as a call of a few nanoseconds.
    fn union(mut spans: Vec<Span>) -> Coverage {
        let (mut coverage, mut covered_until) = (Coverage::default(), Ticks::default());
        while !spans.is_empty() {
            let mut next = 0;
            for (index, span) in spans.iter().enumerate() {
                if span.0 < spans[next].0 {
                    next = index;
                }
            }
            let (start, end) = spans.swap_remove(next);
            if coverage.pieces == 0 || start > covered_until {
                coverage.pieces += 1;
            }
            coverage.ticks += end.since(start.max(covered_until)).0;
            covered_until = covered_until.max(end);
        }
        coverage
    }

    /// Returns the sum over all segments. Each thread has one interval for each segment.
    pub(super) fn from_threads(threads: &[&[Span]]) -> Coverage {
        let mut sum = Coverage::default();
        for segment in 0.. {
            let mut spans = Vec::new();
            for thread in threads {
                spans.extend(thread.get(segment));
            }
            if spans.is_empty() {
                break;
            }
            let Coverage { ticks, pieces } = Coverage::union(spans);
            sum.ticks += ticks;
            sum.pieces += pieces;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(starts_and_ends: &[(u64, u64)]) -> Vec<Span> {
        starts_and_ends.iter().map(|&(start, end)| (Ticks(start), Ticks(end))).collect()
    }

    #[test]
    fn overlapping_time_is_covered_once() {
        let coverage = |segment: &[(u64, u64)]| {
            let coverage = Coverage::union(spans(segment));
            (coverage.ticks, coverage.pieces)
        };
        assert_eq!(coverage(&[(10, 20), (12, 18), (15, 25)]), (15, 1));
        assert_eq!(coverage(&[(40, 50), (10, 20), (20, 21)]), (21, 2));
        assert_eq!(coverage(&[(10, 10), (10, 10)]), (0, 1), "with a coarse clock");
        assert_eq!(coverage(&[]), (0, 0));
    }

    #[test]
    fn segments_from_threads_add_up() {
        let (first, second) = (spans(&[(0, 10), (100, 110)]), spans(&[(5, 15)]));
        let Coverage { ticks, pieces } = Coverage::from_threads(&[&first, &second]);
        assert_eq!((ticks, pieces), (25, 2));
    }
}
