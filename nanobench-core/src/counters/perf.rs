//! The processor's counters, by way of the kernel's `perf_event_open`.

use super::Counter;
use perf_event::Builder;
use perf_event::events::Hardware;
use std::io::ErrorKind;

/// A counter of what this thread does outside the kernel, and the threads that it starts.
#[derive(Debug)]
struct Event {
    counter: perf_event::Counter,
    at_start: Reading,
}

impl Counter for Event {
    fn start(&mut self) {
        // What can't be started or read, counts nothing. Once opened, there is no reason for that.
        self.at_start = self.read();
        _ = self.counter.enable();
    }

    fn stop(&mut self) -> u64 {
        _ = self.counter.disable();
        let now = self.read();
        since(&now, &self.at_start)
    }
}

/// What a counter says.
#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    count: u64,
    /// For how long it was asked to count, in ns.
    enabled: u64,
    /// For how long it did.
    running: u64,
}

impl Event {
    fn read(&mut self) -> Reading {
        let now = self.counter.read_count_and_time();
        now.map_or_else(
            |_| Reading::default(),
            |now| Reading { count: now.count, enabled: now.time_enabled, running: now.time_running },
        )
    }
}

/// What was counted between two readings. Where more is counted than the processor has counters, each has one for a part of the
/// time, and stands for all of it.
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
    let mut builder = Builder::new().kind(kind);
    builder.inherit(true);
    match builder.build() {
        Ok(counter) => Ok(Box::new(Event { counter, at_start: Reading::default() })),
        Err(error) => Err(match error.kind() {
            ErrorKind::PermissionDenied => "the kernel allows it to administrators only: \
                sudo sysctl kernel.perf_event_paranoid=2"
                .to_owned(),
            ErrorKind::NotFound | ErrorKind::Unsupported => {
                "there is no such counter in this machine; virtual ones often have none".to_owned()
            }
            _ => format!("the kernel refuses: {error}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_had_a_part_of_the_time_stands_for_all() {
        let reading = |count, enabled, running| Reading { count, enabled, running };
        assert_eq!(since(&reading(150, 20, 20), &reading(50, 10, 10)), 100);
        assert_eq!(since(&reading(150, 30, 15), &reading(50, 10, 10)), 400);
    }
}
