//! A simulated set-associative cache, to show that a walk evicts earlier contents.

/// The choice of the line that makes room for a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    /// The line that has not been used for the longest time.
    LeastRecentlyUsed,
    /// A line that has not been used again, if there is one: static re-reference interval
    /// prediction (Jaleel et al. 2010, "High Performance Cache Replacement Using Re-Reference
    /// Interval Prediction"), with two bits a line.
    ProtectReused,
}

/// The longest re-reference interval of two bits.
const DISTANT: u64 = 3;

/// A line of a set, with its age: the number of later accesses to the set, or the predicted
/// re-reference interval.
#[derive(Debug, Clone, Copy)]
struct Entry {
    line: usize,
    age: u64,
}

#[derive(Debug)]
pub(super) struct SimulatedCache {
    sets: Vec<Vec<Entry>>,
    ways: usize,
    policy: Policy,
}

impl SimulatedCache {
    pub(super) fn new(lines: usize, ways: usize, policy: Policy) -> SimulatedCache {
        SimulatedCache { sets: vec![Vec::new(); lines / ways], ways, policy }
    }

    pub(super) fn contains(&self, line: usize) -> bool {
        self.sets[line % self.sets.len()].iter().any(|entry| entry.line == line)
    }

    pub(super) fn access(&mut self, line: usize) {
        let number = self.sets.len();
        let set = &mut self.sets[line % number];
        if self.policy == Policy::LeastRecentlyUsed {
            set.iter_mut().for_each(|entry| entry.age += 1);
        }
        if let Some(entry) = set.iter_mut().find(|entry| entry.line == line) {
            entry.age = 0;
            return;
        }
        let age = if self.policy == Policy::ProtectReused { DISTANT - 1 } else { 0 };
        let new = Entry { line, age };
        if set.len() < self.ways {
            set.push(new);
            return;
        }
        let oldest = match self.policy {
            Policy::LeastRecentlyUsed => set.iter().map(|entry| entry.age).max().unwrap_or(0),
            Policy::ProtectReused => DISTANT,
        };
        loop {
            if let Some(victim) = set.iter_mut().find(|entry| entry.age == oldest) {
                *victim = new;
                return;
            }
            set.iter_mut().for_each(|entry| entry.age += 1);
        }
    }
}
