//! Counts of one benchmark, in this process.

use super::count_events::{count_events, mark_calls};
use super::{Bencher, CountRequest, Counting, Engine, Timing};
use crate::counters::Counters;
use crate::model::{Allocations, Counts};

/// Counts the allocations of each of `request.iterations`, and the events of samples with more of
/// them, while the clock would run.
pub(crate) fn count(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    request: &CountRequest,
    counters: Counters,
) -> Counts {
    let request = CountRequest { iterations: request.iterations.max(1), ..request.clone() };
    // The first call may do extra work, such as filling a cache of the benchmark's own. It is
    // neither timed nor counted.
    let first = engine.run(benchmark, 1, request.count, 1);
    if first.timing == Timing::Manual {
        // Only the benchmark knows which part of a call it has timed.
        return Counts { iterations: request.iterations, ..Counts::default() };
    }
    Counts {
        iterations: request.iterations,
        allocations: count_allocations(engine, benchmark, &request),
        counters: if request.has_marks() {
            Some(mark_calls(engine, benchmark, &request, &first, counters))
        } else {
            count_events(engine, benchmark, &request, &first, counters)
        },
    }
}

/// Counts the allocations, unless the counting allocator is not installed.
fn count_allocations(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    request: &CountRequest,
) -> Option<Allocations> {
    let counting = Counting::of_allocations()?;
    let mut bencher = engine.bencher(request.iterations, request.count, 1);
    bencher.set_counting(counting);
    // The peak is that of an iteration.
    bencher.separate_iterations();
    bencher.run(benchmark);
    bencher.take_counting()?.allocations()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Clock;
    use std::hint::black_box;

    #[global_allocator]
    static ALLOC: crate::Alloc = crate::Alloc::system();

    /// Runs the body of the test `name` in a separate process, because the allocations of other
    /// tests' threads would be counted, too.
    fn in_own_process(name: &str, body: impl FnOnce()) {
        const VARIABLE: &str = "NANOBENCH_TEST_IN_OWN_PROCESS";
        if std::env::var_os(VARIABLE).is_some() {
            return body();
        }
        let (_, module) = module_path!().split_once("::").unwrap();
        let executable = std::env::current_exe().unwrap();
        let output = std::process::Command::new(executable)
            .args([&format!("{module}::{name}"), "--exact", "--test-threads=1"])
            .env(VARIABLE, "1")
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}");
    }

    /// Returns the allocations, deallocations, reallocations, bytes and peak bytes of a benchmark.
    fn counted(iterations: u64, mut benchmark: impl FnMut(&mut Bencher)) -> [u64; 5] {
        let engine = Engine::with_clock(Clock::Scripted);
        let request = CountRequest { iterations, count: 1, ..CountRequest::default() };
        let counts = count(&engine, &mut benchmark, &request, Counters::default());
        assert_eq!((counts.iterations, counts.counters), (iterations, None));
        let counts = counts.allocations.expect("the tests have the counting allocator");
        [counts.allocations, counts.deallocations, counts.reallocations, counts.bytes, counts.peak]
    }

    #[test]
    fn vectors_allocate_and_grow() {
        in_own_process("vectors_allocate_and_grow", || {
            assert_eq!(
                counted(10, |bencher| bencher.call(|_| drop(black_box(Vec::<u8>::with_capacity(100))))),
                [10, 10, 0, 1_000, 100]
            );
            let grow = || {
                let mut items = vec![0_u8; 100];
                items.reserve_exact(200);
                black_box(items);
            };
            assert_eq!(counted(10, |bencher| bencher.call(|_| grow())), [10, 10, 10, 3_000, 300]);
        });
    }

    #[test]
    fn untimed_work_is_not_counted() {
        in_own_process("untimed_work_is_not_counted", || {
            let vector = || vec![0_u8; 100];
            let input = counted(10, |bencher| bencher.call_with(vector, |input, _| drop(input)));
            assert_eq!(input, [0, 10, 0, 0, 0], "only dropped");
            let result = counted(10, |bencher| bencher.call(|_| vector()));
            assert_eq!(result, [10, 0, 0, 1_000, 100], "dropped outside the timing");
            let by_reference = counted(10, |bencher| {
                bencher
                    .call_with_mut(vector, |inputs, segment| segment.call(inputs, |input, _| input.push(1)));
            });
            assert_eq!(by_reference, [0, 0, 10, 1_000, 100]);
            let excluded = |bencher: &mut Bencher| {
                bencher.call_controlled(|_, tc| {
                    black_box(vec![0_u8; 10]);
                    tc.exclude(|| drop(black_box(vector())));
                });
            };
            assert_eq!(counted(10, excluded), [10, 10, 0, 100, 10]);
        });
    }

    #[test]
    fn a_benchmark_with_a_clock_of_its_own_has_no_counts() {
        let engine = Engine::with_clock(Clock::Scripted);
        let mut manual = |bencher: &mut Bencher| {
            bencher.call_manual(|_| std::time::Duration::from_nanos(black_box(vec![1, 2]).len() as u64));
        };
        let request = CountRequest { iterations: 10, count: 1, ..CountRequest::default() };
        let counts = count(&engine, &mut manual, &request, Counters::default());
        assert_eq!(counts, Counts { iterations: 10, allocations: None, counters: None });
    }

    #[test]
    fn a_reset_discards_counts() {
        in_own_process("a_reset_discards_counts", || {
            let reset = |bencher: &mut Bencher| {
                bencher.call_controlled(|_, tc| {
                    black_box(vec![0_u8; 100]);
                    tc.reset();
                    black_box(vec![0_u8; 10]);
                });
            };
            assert_eq!(counted(10, reset), [10, 10, 0, 100, 10]);
        });
    }

    #[test]
    fn the_peak_is_that_of_one_iteration() {
        in_own_process("the_peak_is_that_of_one_iteration", || {
            let mut kept = Vec::with_capacity(100);
            let keep = |bencher: &mut Bencher| bencher.call(|_| kept.push(vec![0_u8; 100]));
            assert_eq!(counted(10, keep), [10, 0, 0, 1_000, 100]);
            let two_at_a_time = |bencher: &mut Bencher| {
                bencher.call(|_| {
                    drop(black_box(vec![0_u8; 50]));
                    black_box((vec![0_u8; 100], vec![0_u8; 20]));
                });
            };
            assert_eq!(counted(10, two_at_a_time), [30, 30, 0, 1_700, 120]);
        });
    }

    #[test]
    fn threads_of_a_benchmark_are_counted() {
        in_own_process("threads_of_a_benchmark_are_counted", || {
            let spawn = |bencher: &mut Bencher| {
                bencher.call(|_| {
                    std::thread::scope(|scope| drop(scope.spawn(|| black_box(vec![0_u8; 10_000])).join()));
                });
            };
            let [allocations, _, _, bytes, peak] = counted(3, spawn);
            // Starting a thread allocates, too.
            assert!(allocations >= 3 && bytes >= 30_000 && peak >= 10_000, "{allocations} {bytes} {peak}");
        });
    }
}
