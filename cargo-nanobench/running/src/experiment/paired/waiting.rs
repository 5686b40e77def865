//! The CPU time that a process and its descendants use while they should wait for its turn. Busy
//! threads slow down whatever runs beside them, which would be the other side of the comparison.

use std::time::{Duration, Instant};

/// Share of the waiting time from which processes count as busy. Allocators and thread pools that
/// sleep when idle stay far below it.
const BUSY_SHARE: f64 = 0.05;
/// Shortest total waiting time from which busy threads can be told: beside other work, waking up a
/// thread may take a tenth of a millisecond.
const MIN_WAITING_TIME: Duration = Duration::from_millis(10);

/// The time for which processes waited for their turns, and their CPU time meanwhile.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Waits {
    time: Duration,
    cpu_time: Duration,
}

impl Waits {
    /// Adds those of another process.
    pub(super) fn add(&mut self, other: &Waits) {
        self.time += other.time;
        self.cpu_time += other.cpu_time;
    }

    /// Returns whether the processes were busy while they should have waited.
    pub(super) fn are_busy(&self) -> bool {
        self.time >= MIN_WAITING_TIME && self.cpu_time > self.time.mul_f64(BUSY_SHARE)
    }
}

/// Observes the waits of a process.
///
/// The turn of another process right after its own is ignored, because threads may spin for a
/// moment before they sleep.
#[derive(Debug, Default)]
pub(super) struct WaitObserver {
    /// The time, and the CPU time of the process, at the end of the first turn of another process.
    since: Option<(Instant, Duration)>,
    own_turns: u32,
    pub(super) waits: Waits,
}

impl WaitObserver {
    /// Notes the end of a turn of this process. Returns whether to look for its descendants: after
    /// every 16th turn, since that takes as long as a part of a turn.
    pub(super) fn own_turn_ended(&mut self) -> bool {
        self.own_turns += 1;
        self.own_turns % 16 == 1
    }

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
        // It is less if a descendant has ended. Its part is unknown.
        if let Some(cpu_time) = cpu_time().and_then(|after| after.checked_sub(before)) {
            self.waits.add(&Waits { time: now.saturating_duration_since(since), cpu_time });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Duration = Duration::from_millis(1);

    /// Returns the waits of a process that uses this CPU time in each of three turns of others
    /// between its own turns.
    fn waits(others: [Duration; 3], turns: u32) -> Waits {
        let (mut observer, mut now, mut cpu_time) = (WaitObserver::default(), Instant::now(), Duration::ZERO);
        for _ in 0..turns {
            observer.own_turn_begins(now, || Some(cpu_time));
            (now, cpu_time) = (now + TURN, cpu_time + TURN);
            for used in others {
                (now, cpu_time) = (now + TURN, cpu_time + used);
                observer.other_turn_ended(now, || Some(cpu_time));
            }
        }
        observer.waits
    }

    #[test]
    fn threads_that_run_on_are_busy() {
        for used in [TURN, 2 * TURN, TURN / 5] {
            assert!(waits([used; 3], 6).are_busy(), "{used:?} of {TURN:?}");
        }
    }

    #[test]
    fn threads_that_soon_sleep_are_not_busy() {
        let short = TURN / 100;
        assert!(!waits([short; 3], 6).are_busy(), "on the way to sleep");
        assert!(!waits([TURN, short, short], 6).are_busy(), "spinning for a while after their turn");
    }

    #[test]
    fn a_slow_wake_up_in_a_short_block_is_not_busy() {
        let mut all = waits([Duration::ZERO, TURN / 2, Duration::ZERO], 2);
        assert!(!all.are_busy(), "two turns are too few to tell");
        (0..8).for_each(|_| all.add(&waits([TURN / 100; 3], 6)));
        assert!(!all.are_busy());
    }

    #[test]
    fn a_wait_in_which_a_descendant_ended_tells_nothing() {
        let (mut observer, now) = (WaitObserver::default(), Instant::now());
        observer.other_turn_ended(now, || Some(100 * TURN));
        observer.own_turn_begins(now + 50 * TURN, || Some(20 * TURN));
        assert_eq!(observer.waits.time, Duration::ZERO);
        observer.other_turn_ended(now + 51 * TURN, || Some(20 * TURN));
        observer.own_turn_begins(now + 91 * TURN, || Some(50 * TURN));
        assert!(observer.waits.are_busy(), "30 of 40 turns");
    }

    #[test]
    fn nothing_is_busy_without_clocks() {
        let (mut observer, now) = (WaitObserver::default(), Instant::now());
        observer.other_turn_ended(now, || None);
        observer.own_turn_begins(now + 100 * TURN, || Some(100 * TURN));
        assert!(!observer.waits.are_busy());
    }
}
