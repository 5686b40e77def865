//! An order on several threads at once.

use super::Bencher;
use crate::time::{Clock, Ticks};
use std::any::Any;
use std::hint;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::thread;

/// How often a thread looks whether all are there before it lets others have the core. A few us: a thread that has been
/// started is there by then, if there is a core for it.
const LOOKS: u32 = 2_000;

/// Where threads wait until all are there. They don't sleep meanwhile, as waking up takes some us, in which others would
/// be alone with the clock.
#[derive(Debug)]
pub(super) struct SpinBarrier {
    clock: Clock,
    members: usize,
    arrived: AtomicUsize,
    /// How often all have been there.
    times: AtomicUsize,
    state: AtomicU8,
}

/// All come.
const ALL: u8 = 0;
/// One is done: those who wait for it go on without.
const LEFT: u8 = 1;
/// One has panicked: those who wait for it end.
const PANICKED: u8 = 2;

/// What a thread ends with that another one's panic ends.
struct Ended;

impl SpinBarrier {
    fn of(members: usize, clock: Clock) -> SpinBarrier {
        SpinBarrier {
            clock,
            members,
            arrived: AtomicUsize::new(0),
            times: AtomicUsize::new(0),
            state: AtomicU8::new(ALL),
        }
    }

    /// Waits until all are there. Returns how long that took.
    pub(super) fn wait(&self) -> Ticks {
        let start = self.clock.start();
        self.meet();
        self.clock.end().since(start)
    }

    fn meet(&self) {
        let times = self.times.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.members {
            self.arrived.store(0, Ordering::Relaxed);
            self.times.store(times + 1, Ordering::Release);
            return;
        }
        let mut looks = 0;
        while self.times.load(Ordering::Acquire) == times {
            match self.state.load(Ordering::Relaxed) {
                ALL => {}
                LEFT => return,
                // Without a word: the thread that panicked has said what there is to say.
                _ => resume_unwind(Box::new(Ended)),
            }
            if looks < LOOKS {
                looks += 1;
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
    }
}

/// A thread on its way to the meeting, which the others won't wait for in vain.
struct BarrierGuard<'a>(&'a SpinBarrier);

impl Drop for BarrierGuard<'_> {
    fn drop(&mut self) {
        let state = if thread::panicking() { PANICKED } else { LEFT };
        self.0.state.fetch_max(state, Ordering::Relaxed);
    }
}

impl Bencher {
    /// Makes so many threads carry the order out at once, and notes from when to when they were at it. So the throughput of all
    /// is that of the noted time times their number, with fewer cores than threads, too.
    pub(crate) fn run_on_threads(&mut self, threads: usize, work: &(dyn Fn(&mut Bencher) + Sync)) {
        let meeting = Arc::new(SpinBarrier::of(threads, self.clock()));
        let mut orders: Vec<Bencher> = (0..threads).map(|thread| self.part(&meeting, thread == 0)).collect();
        let panic = thread::scope(|scope| {
            let started: Vec<_> = orders
                .iter_mut()
                .map(|order| {
                    let member = BarrierGuard(&meeting);
                    scope.spawn(move || {
                        // Taken along, so that it is dropped by a panic.
                        let _member = member;
                        order.carry_out(&mut |order| work(order));
                    })
                })
                .collect();
            let mut panic: Option<Box<dyn Any + Send>> = None;
            for thread in started {
                let ended = thread.join().err();
                // That of the thread that began it says something.
                if panic.as_ref().is_none_or(|panic| panic.is::<Ended>()) {
                    panic = ended.or(panic);
                }
            }
            panic
        });
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        self.take_parts(orders);
    }
}

/// What the stretches of several threads cover together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Covered {
    pub(super) ticks: u64,
    /// In so many pieces, each of which has one reading of the clock in it: where stretches overlap, so do their readings.
    pub(super) pieces: u64,
}

/// How much time these stretches cover. Between them, a thread that has begun later, for want of a core, kept the others waiting:
/// with calls of some ns, that is a thousand times as long as they take.
pub(super) fn covered(mut stretches: Vec<(Ticks, Ticks)>) -> Covered {
    let (mut sum, mut until) = (Covered::default(), Ticks::default());
    while let Some(next) = (0..stretches.len()).min_by_key(|&i| stretches[i].0) {
        let (start, end) = stretches.swap_remove(next);
        if sum.pieces == 0 || start > until {
            sum.pieces += 1;
        }
        sum.ticks += end.since(start.max(until)).0;
        until = until.max(end);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Engine, SampleRequest};
    use crate::model::Sample;
    use crate::time::scripted;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::AtomicU64;

    fn order(iterations: u64) -> Bencher {
        Bencher::new(Clock::Scripted, iterations, 1, 2)
    }

    #[test]
    fn all_run_at_once_and_the_time_until_the_last_is_done_is_noted() {
        // Each would wait for ever if it were alone.
        let barrier = Barrier::new(3);
        let next = AtomicU64::new(0);
        let mut order = order(5);
        order.run_on_threads(3, &|run| {
            let mine = next.fetch_add(1, Ordering::Relaxed) * 3;
            run.call(|_| {
                barrier.wait();
                scripted::advance(10 + mine);
            });
        });
        assert_eq!((order.elapsed(), order.segments()), (Ticks(5 * 16), 1));
    }

    #[test]
    fn time_that_several_share_is_covered_once() {
        let covered = |stretches: &[(u64, u64)]| {
            let covered = covered(stretches.iter().map(|&(start, end)| (Ticks(start), Ticks(end))).collect());
            (covered.ticks, covered.pieces)
        };
        assert_eq!(covered(&[(10, 20), (12, 18), (15, 25)]), (15, 1));
        assert_eq!(covered(&[(40, 50), (10, 20), (20, 21)]), (21, 2));
        assert_eq!(covered(&[(10, 10), (10, 10)]), (0, 1), "of a coarse clock");
        assert_eq!(covered(&[]), (0, 0));
    }

    #[test]
    fn waiting_for_a_core_is_neither_timed_nor_taken_for_set_up() {
        // One begins when the other two have long been done, with each of its segments of two calls.
        let next = AtomicU64::new(0);
        let mut order = order(6);
        order.carry_out(&mut |order| {
            // Nor is the start of the threads.
            scripted::advance(1_000_000);
            order.run_on_threads(3, &|run| {
                let is_late = next.fetch_add(1, Ordering::Relaxed) == 2;
                let setup = || scripted::advance(if is_late { 40_000 } else { 5 });
                run.call_with_mut(setup, |(), _| {
                    scripted::advance(10);
                    String::new()
                });
            });
        });
        assert_eq!((order.elapsed(), order.segments()), (Ticks(3 * 2 * 20), 3 * 2));
        assert_eq!((order.aside(), order.wall()), (Ticks(6 * 5), Ticks(1_000_000)));
    }

    #[test]
    fn the_clock_is_taken_out_as_often_as_it_is_in() {
        // Eight threads that take turns.
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let next = AtomicU64::new(0);
        let mut work = |order: &mut Bencher| {
            order.run_on_threads(8, &|run| {
                scripted::advance(next.fetch_add(1, Ordering::Relaxed) % 8 * 10_000);
                scripted::set_read_cost(20);
                run.call(|_| scripted::advance(3));
            });
        };
        let take = SampleRequest {
            samples: 1,
            iterations: 5,
            exact_iterations: true,
            count: 1,
            max_kept_results: 1,
            ..SampleRequest::default()
        };
        let taken = engine.sample(&mut work, &take);
        let Sample { elapsed, segments, .. } = taken.samples[0];
        assert_eq!(elapsed as f64 - taken.segment_cost * segments as f64, 8.0 * 5.0 * 3.0);
    }

    #[test]
    fn all_meet_before_each_segment() {
        let mut order = order(5);
        let (begun, ended) = (AtomicU64::new(0), AtomicU64::new(0));
        order.run_on_threads(2, &|run| {
            run.call(|_| {
                // With two results at a time, nobody begins a third call before both have ended the second.
                let before = begun.fetch_add(1, Ordering::SeqCst) / 4;
                assert!(ended.load(Ordering::SeqCst) >= before * 4);
                ended.fetch_add(1, Ordering::SeqCst);
                String::new()
            });
        });
        assert_eq!((order.segments(), begun.into_inner()), (3, 10));
    }

    #[test]
    fn a_panic_in_one_ends_all() {
        let next = AtomicU64::new(0);
        let work = |run: &mut Bencher| {
            let mine = next.fetch_add(1, Ordering::Relaxed);
            run.call_controlled(|_, _| assert!(mine != 1, "thread 1 has had enough"));
        };
        let ended = catch_unwind(AssertUnwindSafe(|| order(1_000_000).run_on_threads(3, &work)));
        let said = ended.unwrap_err();
        let said = said.downcast_ref::<&str>().copied().unwrap_or_default();
        assert_eq!(said, "thread 1 has had enough");
    }

    #[test]
    fn one_that_does_nothing_keeps_nobody_waiting() {
        let next = AtomicU64::new(0);
        order(3).run_on_threads(2, &|run| {
            if next.fetch_add(1, Ordering::Relaxed) == 0 {
                run.call_controlled(|_, _| ());
            }
        });
    }
}
