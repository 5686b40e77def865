//! The processor's counters, read through Linux's `perf_event_open`.

use super::Counter;
use perf_event::Builder;
use perf_event::events::{Event, Hardware};
use std::io::{self, ErrorKind};

/// A counter of this thread and of the threads that it starts, outside the kernel.
#[derive(Debug)]
struct PerfCounter {
    counter: perf_event::Counter,
    at_start: Reading,
}

impl Counter for PerfCounter {
    fn start(&mut self) {
        // A counter that can't be started or read counts nothing. That isn't expected of one that
        // could be opened.
        self.at_start = self.read();
        _ = self.counter.enable();
    }

    fn stop(&mut self) -> u64 {
        _ = self.counter.disable();
        let now = self.read();
        since(&now, &self.at_start)
    }
}

/// The state of a counter.
#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    count: u64,
    /// Time for which it was enabled, in ns.
    enabled: u64,
    /// Time for which the processor counted, in ns.
    running: u64,
}

impl PerfCounter {
    fn read(&mut self) -> Reading {
        let now = self.counter.read_count_and_time();
        now.map_or_else(
            |_| Reading::default(),
            |now| Reading { count: now.count, enabled: now.time_enabled, running: now.time_running },
        )
    }
}

/// Returns the count between two readings. If more counters are enabled than the processor has,
/// they take turns, and the count is scaled to the whole time.
fn since(now: &Reading, before: &Reading) -> u64 {
    let count = now.count.saturating_sub(before.count);
    let enabled = now.enabled.saturating_sub(before.enabled);
    let running = now.running.saturating_sub(before.running);
    if running == 0 || running >= enabled {
        return count;
    }
    (count as f64 * enabled as f64 / running as f64) as u64
}

pub(super) fn open(name: &str) -> Result<Box<dyn Counter>, String> {
    let kind = match name {
        "cycles" => Hardware::CPU_CYCLES,
        "instructions" => Hardware::INSTRUCTIONS,
        "branches" => Hardware::BRANCH_INSTRUCTIONS,
        "branch-misses" => Hardware::BRANCH_MISSES,
        _ => Hardware::CACHE_MISSES,
    };
    match new_counter(kind) {
        Ok(counter) => Ok(Box::new(counter)),
        Err(error) => Err(match error.kind() {
            ErrorKind::PermissionDenied => {
                "only root may read it; run `sudo sysctl kernel.perf_event_paranoid=2` to allow it".to_owned()
            }
            ErrorKind::NotFound | ErrorKind::Unsupported => {
                "this machine doesn't have it; virtual machines often have no counters".to_owned()
            }
            _ => format!("the kernel returns an error: {error}"),
        }),
    }
}

fn new_counter(kind: impl Into<Event>) -> io::Result<PerfCounter> {
    let mut builder = Builder::new().kind(kind);
    builder.inherit(true);
    Ok(PerfCounter { counter: builder.build()?, at_start: Reading::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::{Counters, NamedCounter};
    use crate::measure::{CountRequest, Engine, count};
    use perf_event::events::Software;

    /// Events of the kernel exist on machines without hardware counters, too.
    #[test]
    #[cfg_attr(miri, ignore = "calls the kernel")]
    fn the_kernels_page_faults_are_those_of_the_timed_part() {
        const PAGES: usize = 64;
        let Ok(counter) = new_counter(Software::PAGE_FAULTS) else { return };
        let counters =
            Counters(vec![NamedCounter { name: "page-faults".into(), counter: Box::new(counter), total: 0 }]);
        let touched = || {
            // So large that the allocator takes it from the operating system, and returns it.
            let mut pages = Vec::with_capacity(64 << 20);
            pages.resize(PAGES << 12, 1_u8);
            pages
        };
        let mut benchmark = |bencher: &mut crate::measure::Bencher| {
            bencher.call_controlled(|_, tc| {
                let pages = touched();
                tc.exclude(|| [touched(), touched()]);
                pages
            });
        };
        let request = CountRequest {
            iterations: 1,
            count: 1,
            samples: 2,
            sample_iterations: 5,
            max_kept_results: 1,
            counters: Vec::new(),
        };
        let counts = count(&Engine::new(), &mut benchmark, &request, counters);
        let faults = counts.counters.unwrap()[0].value;
        // A fault may bring more than one page.
        assert!((1.0..1.5 * PAGES as f64).contains(&faults), "{faults}");
    }

    #[test]
    fn counts_of_a_part_of_the_time_are_scaled() {
        let reading = |count, enabled, running| Reading { count, enabled, running };
        assert_eq!(since(&reading(150, 20, 20), &reading(50, 10, 10)), 100);
        assert_eq!(since(&reading(150, 30, 15), &reading(50, 10, 10)), 400);
    }
}
