//! Items for the code that `#[divan::bench]` and `#[divan::bench_group]` generate. Not for direct use:
//! they may change in any release.

pub use crate::amounts::CounterSet;
pub use crate::bencher::Context;
pub use crate::counter::{BytesCount, CharsCount, CyclesCount, ItemsCount};
pub use nanobench_engine::__private::{
    Body, Case, Cases, DebugText, DisplayText, Entry, Group, Label, NoText, Registered, RegisteredGroup,
    Settings, Text, ThroughputUnit, inventory,
};
pub use std::sync::LazyLock;

// For code with spans of the 2015 edition, in which `::core` is not found.
pub use ::core;

use crate::bencher::Bencher;
use nanobench_engine::__private::without_effect;
use std::any::type_name;
use std::borrow::{Borrow, Cow};
use std::time::Duration;

/// The longest time for all samples that is longer than that of a run without settings, in ns.
const MAX_TIME: u64 = 8_000_000;
/// The largest number of samples that takes no longer than a run without settings.
const MAX_SAMPLES: u32 = 3;

/// Creates the row of a function that takes a `Bencher`.
pub fn prepared(function: impl Fn(Bencher<'_, '_>) + 'static) -> Case {
    Case::scoped(move |take_samples| function(Context::new(take_samples).bencher()))
}

/// An argument that can be passed as a `T`.
pub trait Passed<T> {
    /// Returns what is passed.
    fn passed(self) -> T;
}

impl<T> Passed<T> for T {
    fn passed(self) -> T {
        self
    }
}

impl<'a, T: ?Sized + ToOwned> Passed<&'a T> for &'a Cow<'a, T> {
    fn passed(self) -> &'a T {
        self
    }
}

impl<'a> Passed<&'a str> for &'a String {
    fn passed(self) -> &'a str {
        self
    }
}

impl<T: Copy> Passed<T> for &T {
    fn passed(self) -> T {
        *self
    }
}

impl<T: Copy> Passed<T> for &&T {
    fn passed(self) -> T {
        **self
    }
}

impl<T: Copy> Passed<T> for &&&T {
    fn passed(self) -> T {
        ***self
    }
}

/// Returns an argument as the function takes it.
#[inline]
pub fn pass<T, A>(argument: &'static A) -> T
where
    &'static A: Passed<T>,
{
    argument.passed()
}

/// Returns the label of a type: its name without the modules around it.
pub fn type_label<T: ?Sized>() -> Label {
    let mut name = type_name::<T>();
    while let Some((module, rest)) = name.split_once("::") {
        if !module.chars().all(|c| c == '_' || c.is_alphanumeric()) {
            break;
        }
        name = rest;
    }
    Label::from_type(name)
}

/// A value of `threads`. `KIND` tells numbers from lists of them.
pub trait Threads<const KIND: u8> {
    /// Returns the numbers.
    fn numbers(self) -> Vec<usize>;
}

impl Threads<0> for usize {
    fn numbers(self) -> Vec<usize> {
        vec![self]
    }
}

impl Threads<0> for bool {
    fn numbers(self) -> Vec<usize> {
        vec![usize::from(!self)]
    }
}

impl<I: IntoIterator<Item: Borrow<usize>>> Threads<1> for I {
    fn numbers(self) -> Vec<usize> {
        self.into_iter().map(|number| *number.borrow()).collect()
    }
}

/// Returns the numbers of threads, in order. One thread alone is no number: it has no label.
pub fn threads<const KIND: u8>(value: impl Threads<KIND>) -> Vec<usize> {
    let mut numbers = value.numbers();
    numbers.sort_unstable();
    let numbers = if numbers.is_empty() { numbers } else { nanobench_engine::__private::threads(numbers) };
    if numbers == [1] { Vec::new() } else { numbers }
}

/// A time, or a number of seconds.
pub trait IntoDuration {
    /// Returns the time.
    fn into_duration(self) -> Duration;
}

impl IntoDuration for Duration {
    fn into_duration(self) -> Duration {
        self
    }
}

impl IntoDuration for u64 {
    fn into_duration(self) -> Duration {
        Duration::from_secs(self)
    }
}

impl IntoDuration for f64 {
    fn into_duration(self) -> Duration {
        Duration::from_secs_f64(self)
    }
}

/// Returns the longest time for all samples, in ns, if that shortens a run.
pub fn max_time(time: impl IntoDuration) -> Option<u64> {
    let time = time.into_duration().as_nanos().try_into().unwrap_or(u64::MAX);
    Some(time).filter(|time| *time < MAX_TIME)
}

/// Takes the shortest time, which would only lengthen a run.
pub fn min_time(time: impl IntoDuration) {
    _ = time.into_duration();
    without_effect("min_time");
}

/// Takes an option about the time outside of the timing, which isn't limited here.
pub fn skip_ext_time(_: bool) {
    without_effect("skip_ext_time");
}

/// Returns the number of samples, if it is small. Otherwise, the precision decides.
pub fn sample_count(number: u32) -> Option<u64> {
    let is_small = (1..=MAX_SAMPLES).contains(&number);
    if !is_small {
        without_effect("sample_count");
    }
    is_small.then_some(u64::from(number))
}

/// Returns the number of iterations of a sample.
pub fn sample_size(number: u32) -> Option<u64> {
    Some(u64::from(number.max(1)))
}
