//! The numbers of counters. As in divan, suites can't name these items.

use crate::counter::IntoCounter;
use nanobench_engine::__private::{ThroughputUnit, without_effect};
use std::any::Any;

/// Implemented by the counters of this crate only.
pub trait Sealed {
    /// The unit; `None` for cycles, which reports don't have.
    const UNIT: Option<ThroughputUnit>;

    /// Creates the counter of a number.
    fn of_number(count: u64) -> Self;
    /// Returns the number.
    fn count(&self) -> u64;
}

/// Unsigned integers of up to 64 bits.
pub trait CountUInt: Copy + Any {
    /// Returns the number.
    fn into_max_uint(self) -> u64;
}

/// A [`CountUInt`], or references to one.
pub trait AsCountUInt {
    /// Returns the number.
    fn as_max_uint(&self) -> u64;
}

impl<T: AsCountUInt> AsCountUInt for &T {
    fn as_max_uint(&self) -> u64 {
        T::as_max_uint(self)
    }
}

/// Counters of different units.
#[derive(Clone, Debug, Default)]
pub struct CounterSet(pub Vec<(ThroughputUnit, u64)>);

impl CounterSet {
    /// Returns the set with another counter, in place of one of the same unit.
    #[must_use]
    pub fn with(mut self, counter: impl IntoCounter) -> Self {
        self.set(counter);
        self
    }

    /// Returns the amounts.
    pub fn amounts(self) -> Vec<(ThroughputUnit, u64)> {
        self.0
    }

    /// Adds a counter, in place of one of the same unit.
    pub fn set<C: IntoCounter>(&mut self, counter: C) {
        if let Some(unit) = C::Counter::UNIT {
            self.0.retain(|(other, _)| *other != unit);
            self.0.push((unit, counter.into_counter().count()));
        } else {
            without_effect("counters of cycles");
        }
    }
}
