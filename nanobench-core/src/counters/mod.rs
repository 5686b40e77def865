//! Counters of the operating system and of the processor.

#[cfg_attr(all(unix, target_pointer_width = "64"), path = "usage.rs")]
#[cfg_attr(not(all(unix, target_pointer_width = "64")), path = "no_usage.rs")]
mod usage;

#[cfg_attr(all(target_os = "linux", feature = "counters"), path = "perf.rs")]
#[cfg_attr(not(all(target_os = "linux", feature = "counters")), path = "no_perf.rs")]
mod perf;

use std::fmt;

/// The counters of the operating system.
const OF_SYSTEM: [&str; 2] = ["page-faults", "context-switches"];
/// The counters of the processor.
const OF_PROCESSOR: [&str; 5] = ["cycles", "instructions", "branches", "branch-misses", "cache-misses"];

/// Something that counts by itself, between a start and a stop.
trait Counter: fmt::Debug + Send + Sync {
    /// Counts from now on.
    fn start(&mut self);
    /// Returns what was counted since the start.
    fn stop(&mut self) -> u64;
}

/// Some counters, and what they have counted together while they ran.
#[derive(Debug, Default)]
pub(crate) struct Counters(Vec<Counted>);

#[derive(Debug)]
struct Counted {
    name: String,
    counter: Box<dyn Counter>,
    total: u64,
}

impl Counters {
    /// The counters of these names. Those that can't be read here are left out, and named with the reason.
    pub(crate) fn open(names: &[String]) -> (Counters, Vec<(String, String)>) {
        let (mut counters, mut refused) = (Vec::new(), Vec::new());
        for name in names {
            match open(name) {
                Ok(counter) => counters.push(Counted { name: name.clone(), counter, total: 0 }),
                Err(why) => refused.push((name.clone(), why)),
            }
        }
        (Counters(counters), refused)
    }

    pub(crate) fn start(&mut self) {
        for counted in &mut self.0 {
            counted.counter.start();
        }
    }

    /// In the other order, so that each counts as little as can be of what starts and stops others.
    pub(crate) fn stop(&mut self) {
        for counted in self.0.iter_mut().rev() {
            counted.total += counted.counter.stop();
        }
    }

    /// What each has counted.
    pub(crate) fn totals(&self) -> Vec<u64> {
        self.0.iter().map(|counted| counted.total).collect()
    }

    /// Goes on from what was counted at another time.
    pub(crate) fn set_totals(&mut self, totals: &[u64]) {
        for (counted, total) in self.0.iter_mut().zip(totals) {
            counted.total = *total;
        }
    }

    /// Their names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|counted| counted.name.as_str())
    }
}

/// Opens a counter. The error says why it can't be read.
fn open(name: &str) -> Result<Box<dyn Counter>, String> {
    if OF_SYSTEM.contains(&name) {
        usage::open(name)
    } else if OF_PROCESSOR.contains(&name) {
        perf::open(name)
    } else {
        let all: Vec<&str> = OF_SYSTEM.into_iter().chain(OF_PROCESSOR).collect();
        Err(format!("there is no such counter; there are {}", all.join(", ")))
    }
}

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
        let counted = Counted { name: "steps".into(), counter: Box::new(Steps(0)), total: 0 };
        let mut counters = Counters(vec![counted]);
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
    fn what_can_t_be_read_is_named() {
        let (counters, refused) = Counters::open(&["nonsense".into()]);
        assert_eq!(counters.names().count(), 0);
        assert!(refused[0].0 == "nonsense" && refused[0].1.contains("page-faults"), "{refused:?}");
    }

    #[test]
    #[cfg(all(unix, target_pointer_width = "64"))]
    fn fresh_pages_are_faults() {
        let (mut counters, refused) = Counters::open(&["page-faults".into(), "context-switches".into()]);
        assert!(refused.is_empty(), "{refused:?}");
        // So large that it comes straight from the operating system.
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
