//! Counters of the operating system and of the processor.

#[cfg_attr(all(unix, target_pointer_width = "64"), path = "usage.rs")]
#[cfg_attr(not(all(unix, target_pointer_width = "64")), path = "no_usage.rs")]
mod usage;

#[cfg_attr(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")), path = "perf.rs")]
#[cfg_attr(
    not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))),
    path = "no_perf.rs"
)]
mod perf;

#[cfg_attr(all(target_os = "linux", target_arch = "x86_64"), path = "marks.rs")]
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), path = "no_marks.rs")]
mod marks;

#[cfg_attr(all(target_os = "linux", target_pointer_width = "64"), path = "run_queue.rs")]
#[cfg_attr(not(all(target_os = "linux", target_pointer_width = "64")), path = "no_run_queue.rs")]
mod run_queue;

use crate::model::{COUNTERS, KeyValue};
use crate::text::join;
use std::fmt;

/// The number of the operating system's counters, which are the first ones of [`COUNTERS`].
const SYSTEM_COUNTERS: usize = 2;

/// Times since this thread started, in ns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waits {
    /// The time in which it could run, but waited for a processor that ran something else.
    pub(crate) waited: u64,
    /// The CPU time of all other threads of this process, and of its children that have ended.
    pub(crate) other_cpu_time: u64,
}

/// Returns for how long this thread waited so far. `None` if the system doesn't tell.
pub(crate) fn waits() -> Option<Waits> {
    run_queue::waits()
}

/// A counter that can be started and stopped.
trait Counter: fmt::Debug + Send + Sync {
    /// Starts to count.
    fn start(&mut self);
    /// Stops, and returns the count since the start.
    fn stop(&mut self) -> u64;
}

/// A set of counters, each with its total over all starts and stops.
#[derive(Debug, Default)]
pub(crate) struct Counters(Vec<NamedCounter>);

#[derive(Debug)]
struct NamedCounter {
    name: String,
    counter: Box<dyn Counter>,
    total: u64,
}

impl Counters {
    /// Opens the counters of these names. Also returns the names that can't be opened here, each
    /// with the reason.
    pub(crate) fn open(names: &[String]) -> (Counters, Vec<KeyValue>) {
        let (mut counters, mut failed) = (Vec::new(), Vec::new());
        for name in names {
            match open(name) {
                Ok(counter) => counters.push(NamedCounter { name: name.clone(), counter, total: 0 }),
                Err(value) => failed.push(KeyValue { key: name.clone(), value }),
            }
        }
        (Counters(counters), failed)
    }

    pub(crate) fn start(&mut self) {
        for counter in &mut self.0 {
            counter.counter.start();
        }
    }

    /// Stops all counters, in the opposite order, so that each counts as little as possible of
    /// starting and stopping the others.
    pub(crate) fn stop(&mut self) {
        for counter in self.0.iter_mut().rev() {
            counter.total += counter.counter.stop();
        }
    }

    /// Returns the total of each counter.
    pub(crate) fn totals(&self) -> Vec<u64> {
        let mut totals = Vec::new();
        for counter in &self.0 {
            totals.push(counter.total);
        }
        totals
    }

    /// Sets the totals from which counting continues.
    pub(crate) fn set_totals(&mut self, totals: &[u64]) {
        for (counter, total) in self.0.iter_mut().zip(totals) {
            counter.total = *total;
        }
    }

    /// Returns the name of each counter.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for counter in &self.0 {
            names.push(counter.name.clone());
        }
        names
    }
}

/// Returns whether the loop around the calls adds to a counter. It costs no cycles that can be told
/// from those of the work, which overlaps with it.
pub(crate) fn includes_loop(name: &str) -> bool {
    matches!(name, "instructions" | "branches")
}

/// Opens a counter. The error says why it can't be opened.
fn open(name: &str) -> Result<Box<dyn Counter>, String> {
    if COUNTERS[..SYSTEM_COUNTERS].contains(&name) {
        usage::open(name)
    } else if COUNTERS.contains(&name) {
        perf::open(name)
    } else {
        marks::open(name).ok_or_else(|| {
            format!("unknown counter; use one of {}", join(&mut COUNTERS.iter().copied(), ", "))
        })
    }
}

#[cfg(test)]
pub(crate) mod scripted;

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Steps(u64);

    impl Counter for Steps {
        fn start(&mut self) {}
        fn stop(&mut self) -> u64 {
            self.0 += 1;
            self.0
        }
    }

    #[test]
    fn totals_add_up_and_can_be_set_back() {
        let counter = NamedCounter { name: "steps".into(), counter: Box::new(Steps(0)), total: 0 };
        let mut counters = Counters(vec![counter]);
        let step = |counters: &mut Counters| {
            counters.start();
            counters.stop();
        };
        step(&mut counters);
        step(&mut counters);
        assert_eq!(counters.totals(), [3]);
        counters.set_totals(&[1]);
        step(&mut counters);
        assert_eq!(counters.totals(), [4]);
    }

    #[test]
    fn unknown_counters_are_named() {
        let (counters, failed) = Counters::open(&["nonsense".into()]);
        assert!(counters.names().is_empty());
        assert!(failed[0].key == "nonsense" && failed[0].value.contains("page-faults"), "{failed:?}");
    }

    #[test]
    #[cfg(all(unix, target_pointer_width = "64"))]
    fn fresh_pages_cause_faults() {
        let (mut counters, failed) = Counters::open(&["page-faults".into(), "context-switches".into()]);
        assert!(failed.is_empty(), "{failed:?}");
        // So large that the allocator takes it from the operating system.
        let pages = 1_000;
        let mut block = Vec::with_capacity(pages * 4096);
        counters.start();
        block.resize(pages * 4096, 1_u8);
        counters.stop();
        std::hint::black_box(&block);
        // A page may be larger than 4 KiB: 16 KiB, or a huge one of 2 MiB.
        assert!(counters.totals()[0] >= 1, "{:?}", counters.totals());
    }
}
