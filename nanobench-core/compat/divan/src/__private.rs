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
use nanobench_engine::__private::{self as engine, without_effect};
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

/// Returns a bencher that keeps results like divan.
pub fn lasting(bencher: &mut engine::Bencher) -> &mut engine::Bencher {
    bencher.let_results_last();
    bencher
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_types_have_no_modules() {
        let labels = [
            type_label::<String>(),
            type_label::<&str>(),
            type_label::<Vec<String>>(),
            type_label::<(u8, String)>(),
            type_label::<&String>(),
        ];
        let inner = "alloc::string::String";
        let expected =
            ["String", "&str", &format!("Vec<{inner}>"), &format!("(u8, {inner})"), &format!("&{inner}")];
        assert_eq!(labels.map(|label| label.text), expected);
    }

    #[test]
    fn one_thread_is_no_row_of_its_own() {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        assert_eq!((threads(1), threads(false), threads([1; 2])), (vec![], vec![], vec![]));
        assert_eq!(
            (threads([0; 0]), threads([4, 2, 4]), threads([1, 3].iter())),
            (vec![], vec![2, 4], vec![1, 3])
        );
        assert_eq!(threads(true), if all == 1 { vec![] } else { vec![all] });
    }

    #[test]
    fn arguments_are_copied_or_borrowed() {
        static TEXT: String = String::new();
        static COW: Cow<'_, str> = Cow::Borrowed("x");
        static NUMBERS: &[u8] = &[5];
        static OF_SLICE: &&u8 = &&5;
        let (text, of_cow): (&str, &str) = (pass(&TEXT), pass(&COW));
        let (by_reference, number, of_slice): (&String, u8, u8) = (pass(&TEXT), pass(&5), pass(OF_SLICE));
        assert_eq!((text, of_cow, by_reference.len(), number, of_slice), ("", "x", 0, 5, 5));
        assert_eq!(pass::<&[u8], _>(&NUMBERS).len(), 1);
    }

    #[test]
    fn only_settings_that_shorten_a_run_count() {
        assert_eq!((max_time(1), max_time(0.001), max_time(Duration::MAX)), (None, Some(1_000_000), None));
        assert_eq!((sample_count(100), sample_count(0), sample_count(3)), (None, None, Some(3)));
        assert_eq!((sample_size(0), sample_size(7)), (Some(1), Some(7)));
    }
}
