//! The CPU time that a process uses while it should wait for its turn. Busy threads slow down
//! whatever runs beside them, which would be the other side of the comparison.

use std::time::{Duration, Instant};

/// Share of the waiting time from which a process counts as busy. Allocators and thread pools that
/// sleep when idle stay far below it.
const BUSY_SHARE: f64 = 0.05;
/// Shortest total waiting time from which busy threads can be told.
const MIN_WAITING_TIME: Duration = Duration::from_millis(1);

/// The time that a process waited for its turns, and its CPU time meanwhile.
///
/// The turn of another process right after its own is ignored, because threads may spin for a
/// moment before they sleep.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// The time, and the CPU time of the process, at the end of the first turn of another process.
    since: Option<(Instant, Duration)>,
    time: Duration,
    cpu_time: Duration,
}

impl Waiting {
    /// Notes the end of a turn of another process. `cpu_time`: the CPU time of this process so far,
    /// if it is known.
    pub(super) fn other_turn_ended(&mut self, now: Instant, cpu_time: impl FnOnce() -> Option<Duration>) {
        if self.since.is_none() {
            self.since = cpu_time().map(|cpu_time| (now, cpu_time));
        }
    }

    /// Notes the beginning of a turn of this process.
    pub(super) fn own_turn_begins(&mut self, now: Instant, cpu_time: impl FnOnce() -> Option<Duration>) {
        let Some((since, before)) = self.since.take() else { return };
        if let Some(after) = cpu_time() {
            self.time += now.saturating_duration_since(since);
            self.cpu_time += after.saturating_sub(before);
        }
    }

    /// Returns whether the process was busy while it should have waited.
    pub(super) fn is_busy(&self) -> bool {
        self.time >= MIN_WAITING_TIME && self.cpu_time > self.time.mul_f64(BUSY_SHARE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Duration = Duration::from_millis(1);

    /// Returns whether a process is busy that uses this CPU time in each of three turns of others
    /// between its own turns.
    fn is_busy(others: [Duration; 3]) -> bool {
        let (mut waiting, mut now, mut cpu_time) = (Waiting::default(), Instant::now(), Duration::ZERO);
        for _ in 0..4 {
            waiting.own_turn_begins(now, || Some(cpu_time));
            (now, cpu_time) = (now + TURN, cpu_time + TURN);
            for used in others {
                (now, cpu_time) = (now + TURN, cpu_time + used);
                waiting.other_turn_ended(now, || Some(cpu_time));
            }
        }
        waiting.is_busy()
    }

    #[test]
    fn threads_that_run_on_are_busy() {
        assert!(is_busy([TURN; 3]));
        assert!(is_busy([2 * TURN; 3]), "two threads");
        assert!(is_busy([TURN / 5; 3]), "a share of a core");
    }

    #[test]
    fn threads_that_soon_sleep_are_not_busy() {
        let short = TURN / 100;
        assert!(!is_busy([short; 3]), "on the way to sleep");
        assert!(!is_busy([TURN, short, short]), "spinning for a while after their turn");
    }

    #[test]
    fn nothing_is_busy_without_clocks_or_within_a_moment() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        waiting.other_turn_ended(now, || None);
        waiting.own_turn_begins(now + 100 * TURN, || Some(100 * TURN));
        assert!(!waiting.is_busy());
        waiting.other_turn_ended(now, || Some(Duration::ZERO));
        waiting.own_turn_begins(now + TURN / 2, || Some(TURN / 2));
        assert!(!waiting.is_busy(), "half of a turn");
    }
}
