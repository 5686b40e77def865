//! An order to count, in this process.

use super::{Bencher, Counting, Engine};
use crate::counters::Counters;
use crate::model::{Amount, Counts};

/// How often it is counted what the counting itself leaves in the counters.
const EMPTY_RUNS: usize = 3;

impl Engine {
    /// Calls a benchmark `iterations` times and counts what it does while the clock would run.
    pub(crate) fn count(
        &self,
        run: &mut dyn FnMut(&mut Bencher),
        iterations: u64,
        count: u64,
        counters: Counters,
    ) -> Counts {
        let iterations = iterations.max(1);
        // The first call may do what no other does, such as filling what is kept, and is not counted, as it is not timed.
        let first = self.run(run, 1, count, 1);
        let empty: &mut dyn FnMut(&mut Bencher) = if first.controlled() {
            &mut |run| run.call_controlled(|_, _| ())
        } else {
            &mut |run| run.call(|_| ())
        };
        let mut counting = Counting::new(counters);
        // What starting and stopping the counters leaves in them, a segment: the least of a few, as some count what just
        // happens to the process.
        let mut least = vec![f64::INFINITY; counting.counters().totals().len()];
        for _ in 0..EMPTY_RUNS {
            let (order, used) = self.counted(empty, iterations, 1, counting);
            for (least, total) in least.iter_mut().zip(used.counters().totals()) {
                *least = least.min(total as f64 / order.segments() as f64);
            }
            counting = used;
        }
        let (order, counting) = self.counted(run, iterations, count, counting);
        let counted = counting.counters().names().zip(counting.counters().totals()).zip(least);
        let counters: Vec<Amount> = counted
            .map(|((name, total), least)| {
                let value = (total as f64 - least * order.segments() as f64).max(0.0);
                Amount { name: name.to_owned(), value }
            })
            .collect();
        Counts {
            iterations,
            allocations: counting.allocations(),
            counters: (!counters.is_empty()).then_some(counters),
        }
    }

    /// Carries out an order that counts from zero.
    fn counted(
        &self,
        run: &mut dyn FnMut(&mut Bencher),
        iterations: u64,
        count: u64,
        mut counting: Counting,
    ) -> (Bencher, Counting) {
        counting.clear();
        let mut order = self.order(iterations, count, 1);
        order.count_with(counting);
        order.carry_out(run);
        let counting = order.take_counting();
        (order, counting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Clock;
    use std::hint::black_box;

    #[global_allocator]
    static ALLOC: crate::Alloc = crate::Alloc::system();

    /// Runs the body of the test `name` in a process of its own: all threads are counted, and here are those of other tests.
    fn alone(name: &str, body: impl FnOnce()) {
        const VARIABLE: &str = "NANOBENCH_TEST_ALONE";
        if std::env::var_os(VARIABLE).is_some() {
            return body();
        }
        let (_, module) = module_path!().split_once("::").unwrap();
        let this = std::env::current_exe().unwrap();
        let output = std::process::Command::new(this)
            .args([&format!("{module}::{name}"), "--exact", "--test-threads=1"])
            .env(VARIABLE, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }

    /// What iterations of `run` ask of the allocator.
    fn counted(iterations: u64, mut run: impl FnMut(&mut Bencher)) -> [u64; 5] {
        static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let engine = Engine::with_clock(Clock::Scripted);
        let counted = engine.count(&mut run, iterations, 1, Counters::default());
        assert_eq!((counted.iterations, counted.counters), (iterations, None));
        let found = counted.allocations.expect("the tests have the counting allocator");
        [found.allocations, found.deallocations, found.reallocations, found.bytes, found.peak]
    }
    #[test]
    fn a_vector_is_an_allocation_and_its_growth_are_others() {
        alone("a_vector_is_an_allocation_and_its_growth_are_others", || {
            assert_eq!(
                counted(10, |run| run.call(|_| drop(black_box(Vec::<u8>::with_capacity(100))))),
                [10, 10, 0, 1_000, 100]
            );
            let grown = || {
                let mut items = vec![0_u8; 100];
                items.reserve_exact(200);
                black_box(items);
            };
            assert_eq!(counted(10, |run| run.call(|_| grown())), [10, 10, 10, 3_000, 300]);
        });
    }

    #[test]
    fn what_is_not_timed_is_not_counted() {
        alone("what_is_not_timed_is_not_counted", || {
            let vector = || vec![0_u8; 100];
            let of_input = counted(10, |run| run.call_with(vector, |input, _| drop(input)));
            assert_eq!(of_input, [0, 10, 0, 0, 0], "only given back");
            let of_result = counted(10, |run| run.call(|_| vector()));
            assert_eq!(of_result, [10, 0, 0, 1_000, 100], "given back outside");
            let by_reference = counted(10, |run| run.call_with_mut(vector, |input, _| input.push(1)));
            assert_eq!(by_reference, [0, 0, 10, 1_000, 100]);
            let excluded = |run: &mut Bencher| {
                run.call_controlled(|_, tc| {
                    black_box(vec![0_u8; 10]);
                    tc.exclude(|| drop(black_box(vector())));
                });
            };
            assert_eq!(counted(10, excluded), [10, 10, 0, 100, 10]);
        });
    }

    #[test]
    fn what_a_control_forgets_is_forgotten() {
        alone("what_a_control_forgets_is_forgotten", || {
            let forgetful = |run: &mut Bencher| {
                run.call_controlled(|_, tc| {
                    black_box(vec![0_u8; 100]);
                    tc.reset();
                    black_box(vec![0_u8; 10]);
                });
            };
            assert_eq!(counted(10, forgetful), [10, 10, 0, 100, 10]);
        });
    }

    #[test]
    fn the_peak_is_that_of_one_iteration() {
        alone("the_peak_is_that_of_one_iteration", || {
            let mut kept = Vec::with_capacity(100);
            let keeping = |run: &mut Bencher| run.call(|_| kept.push(vec![0_u8; 100]));
            assert_eq!(counted(10, keeping), [10, 0, 0, 1_000, 100]);
            let two_at_a_time = |run: &mut Bencher| {
                run.call(|_| {
                    drop(black_box(vec![0_u8; 50]));
                    black_box((vec![0_u8; 100], vec![0_u8; 20]));
                });
            };
            assert_eq!(counted(10, two_at_a_time), [30, 30, 0, 1_700, 120]);
        });
    }

    #[test]
    fn all_threads_of_a_benchmark_are_counted() {
        alone("all_threads_of_a_benchmark_are_counted", || {
            let spawning = |run: &mut Bencher| {
                run.call(|_| {
                    std::thread::scope(|scope| drop(scope.spawn(|| black_box(vec![0_u8; 10_000])).join()));
                });
            };
            let [allocations, _, _, bytes, peak] = counted(3, spawning);
            // A thread itself takes some.
            assert!(allocations >= 3 && bytes >= 30_000 && peak >= 10_000, "{allocations} {bytes} {peak}");
        });
    }
}
