//! Whole numbers of any type, as the expressions of `bytes`, `chars`, `items` and `threads` give
//! them.

use super::is_visible;
use std::fmt::Display;
use std::num::NonZeroUsize;

/// A whole number, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`bytes`, `chars`, `items`, `batch` and `complexity_n` must be whole numbers, not `{Self}`",
    label = "expected a whole number",
    note = "convert it with `.. as u64`, or use the `.len()` of a list or string"
)]
pub trait Number: Copy + Display {
    /// Returns its value, or `None` if that is not from 0 to 2^64 - 1.
    fn number(self) -> Option<u64>;
}

macro_rules! numbers {
    ($($type:ty)*) => { $(
        impl Number for $type {
            fn number(self) -> Option<u64> {
                self.try_into().ok()
            }
        }
    )* };
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Number for NonZeroUsize {
    fn number(self) -> Option<u64> {
        self.get().number()
    }
}

#[diagnostic::do_not_recommend]
impl<N: Number> Number for &N {
    fn number(self) -> Option<u64> {
        (*self).number()
    }
}

/// Returns the throughput of an input that `bytes`, `chars` or `items` measures.
///
/// # Panics
/// If `measure` returns a number below 0 or over 64 bits. The panic is located at the caller, which
/// the attribute makes the user's code.
#[track_caller]
pub fn amount<'i, I: ?Sized, N: Number>(input: &'i I, measure: impl FnOnce(&'i I) -> N) -> u64 {
    let amount = measure(input);
    match amount.number() {
        Some(amount) => amount,
        None => panic!("a throughput can't be {amount}: it must be a whole number from 0 to 2^64 - 1"),
    }
}

/// Returns the number of units that `batch` computes.
///
/// # Panics
/// If `measure` returns a number below 1 or over 64 bits, located as in [`amount`].
#[track_caller]
pub fn units<'i, I: ?Sized, N: Number>(input: &'i I, measure: impl FnOnce(&'i I) -> N) -> u64 {
    let units = measure(input);
    match units.number() {
        Some(units) if units > 0 => units,
        _ => panic!("a `batch` can't be {units}: it must be a whole number from 1 to 2^64 - 1"),
    }
}

/// Returns the name of an operation that `unit` computes.
///
/// # Panics
/// If the name isn't one that a literal could be, located as in [`amount`].
#[track_caller]
pub fn unit_name(unit: impl Display) -> String {
    let unit = unit.to_string();
    let is_word = !unit.is_empty() && unit.trim() == unit && !unit.contains(['/', ':']);
    assert!(
        is_word && unit.chars().all(is_visible),
        "a `unit` can't be {unit:?}: it must be a word in the singular"
    );
    unit
}

/// A value of `threads`: `Kind` is [`SingleNumber`] or [`NumberList`].
#[diagnostic::on_unimplemented(
    message = "`threads` must be one or more whole numbers, not `{Self}`",
    label = "expected a whole number, or an iterator of whole numbers",
    note = "write e.g. `threads = [1, 2, 4]`, `threads = 1..=4`, or name a constant or function"
)]
pub trait Threads<Kind> {
    /// Returns the numbers, up to one more than allowed. Those that don't fit are `None`.
    fn numbers(self) -> Vec<Option<usize>>;
}

/// Kind of a value that is one number.
#[derive(Debug)]
pub struct SingleNumber;

/// Kind of a value that iterates over numbers.
#[derive(Debug)]
pub struct NumberList;

/// More rows than this are a mistake, such as a range without an end.
const MAX_NUMBERS: usize = 1_000;
/// Maximum number of threads that run a benchmark at once: far more than any machine has cores, but
/// few enough to be started.
pub(crate) const MAX_THREADS: usize = 1_024;

#[diagnostic::do_not_recommend]
impl<N: Number> Threads<SingleNumber> for N {
    fn numbers(self) -> Vec<Option<usize>> {
        vec![self.number().and_then(|number| number.try_into().ok())]
    }
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<Item: Number>> Threads<NumberList> for I {
    fn numbers(self) -> Vec<Option<usize>> {
        self.into_iter().take(MAX_NUMBERS + 1).flat_map(Threads::<SingleNumber>::numbers).collect()
    }
}

/// Returns the numbers of threads that `threads` gives.
///
/// # Panics
/// If a number is out of range, or there are none. The panic is located at the caller, which the
/// attribute makes the user's code.
#[track_caller]
pub fn threads<Kind>(threads: impl Threads<Kind>) -> Vec<usize> {
    let numbers = threads.numbers();
    assert!(!numbers.is_empty(), "there is nothing in its `threads`");
    assert!(
        numbers.len() <= MAX_NUMBERS,
        "it has more than {MAX_NUMBERS} `threads`; is there an end to them?"
    );
    let all = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    let number = |number: Option<usize>| match number {
        Some(0) => Some(all()),
        number => number.filter(|threads| *threads <= MAX_THREADS),
    };
    let numbers: Option<Vec<usize>> = numbers.into_iter().map(number).collect();
    // A panic in a closure would be located here.
    match numbers {
        Some(mut numbers) => {
            // All cores may be one of the other numbers.
            let mut seen = Vec::new();
            numbers.retain(|number| {
                !seen.contains(number) && {
                    seen.push(*number);
                    true
                }
            });
            numbers
        }
        None => panic!("a number of threads is from 0, for all cores, to {MAX_THREADS}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_may_be_of_any_integer_type() {
        assert_eq!(amount(&[1, 2], |items| items.len()), 2);
        assert_eq!(amount("abc", |text| text.len() as i32), 3);
        assert_eq!(amount(&7_u8, |n| n), 7, "by reference, too");
    }

    #[test]
    #[should_panic(expected = "can't be -1")]
    fn negative_amounts_panic() {
        amount(&(), |()| -1);
    }

    #[test]
    fn batches_are_at_least_one_unit() {
        assert_eq!(units("abc", str::len), 3);
        let empty = std::panic::catch_unwind(|| units("", str::len)).unwrap_err();
        assert!(empty.downcast_ref::<String>().unwrap().contains("a `batch` can't be 0"));
    }

    #[test]
    fn units_are_words() {
        assert_eq!(unit_name("byte"), "byte");
        for wrong in ["", " byte", "ns/byte", "a::b", "a\u{1b}b"] {
            let panic = std::panic::catch_unwind(|| unit_name(wrong)).unwrap_err();
            assert!(panic.downcast_ref::<String>().unwrap().contains("can't be"), "{wrong}");
        }
    }

    #[test]
    fn threads_are_one_or_several_numbers_of_any_type() {
        const FEW: &[usize] = &[1, 2];
        assert_eq!((threads(4), threads(3_u8), threads(NonZeroUsize::MIN)), (vec![4], vec![3], vec![1]));
        assert_eq!(
            (threads([1, 2]), threads(FEW), threads(FEW.iter())),
            (vec![1, 2], vec![1, 2], vec![1, 2])
        );
        assert_eq!(threads((0..3).map(|shift| 1_u64 << shift)), [1, 2, 4]);
        assert_eq!(threads(1..=3_i8), [1, 2, 3]);
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        assert_eq!((threads(0), threads([all, 0])), (vec![all], vec![all]), "0 is all cores");
    }

    #[test]
    fn invalid_threads_panic() {
        let panic_message = |numbers: &[i64]| {
            let panic = std::panic::catch_unwind(|| threads(numbers)).unwrap_err();
            let text = panic.downcast_ref::<String>().map(String::as_str);
            text.or(panic.downcast_ref::<&str>().copied()).unwrap().to_owned()
        };
        assert!(panic_message(&[]).contains("nothing"));
        assert!(panic_message(&[-1]).contains("from 0, for all cores, to"));
        assert!(panic_message(&[1, 5_000_000_000]).contains("from 0"));
        assert!(panic_message(&[1; 1_001]).contains("an end"));
    }
}
