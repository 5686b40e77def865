//! Times of one of the threads that run a benchmark at once.

/// Times of one thread, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadTimes {
    /// Time with the clock running.
    pub(super) elapsed: u64,
    /// Time outside the timing.
    pub(super) untimed: u64,
}

impl ThreadTimes {
    /// Returns the times of a typical thread: the median of the elapsed times and the minimum of
    /// the others, since the time that a thread waits for a core says nothing about the benchmark.
    /// `None` without threads.
    pub(super) fn typical(threads: &[ThreadTimes]) -> Option<ThreadTimes> {
        // Insertion takes less time to compile than a sort.
        let (mut elapsed, mut untimed) = (Vec::new(), u64::MAX);
        for times in threads {
            let mut index = 0;
            while elapsed.get(index).is_some_and(|other| *other < times.elapsed) {
                index += 1;
            }
            elapsed.insert(index, times.elapsed);
            untimed = untimed.min(times.untimed);
        }
        Some(ThreadTimes { elapsed: *elapsed.get(elapsed.len() / 2)?, untimed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_wait_for_a_core_are_not_typical() {
        let times = [(30, 7), (900, 5_000), (31, 6)];
        let times = times.map(|(elapsed, untimed)| ThreadTimes { elapsed, untimed });
        assert_eq!(ThreadTimes::typical(&times), Some(ThreadTimes { elapsed: 31, untimed: 6 }));
        assert_eq!(ThreadTimes::typical(&[]), None);
    }
}
