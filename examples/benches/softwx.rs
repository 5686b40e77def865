//! The examples of SoftWx's "Benchmarking C# code" (2013), whose `count` and `TimeControl`
//! nanobench follows.

use std::collections::HashMap;
use std::hint::black_box;
use std::thread;
use std::time::Duration;

use nanobench::{TimeControl, nanobench};

/// Sleeps for two milliseconds, plus the time to wake up.
#[nanobench]
fn sleep() {
    thread::sleep(Duration::from_millis(2));
}

/// Concatenates two short strings.
#[nanobench]
fn string_concat(count: u64) {
    let (first, second) = ("1/6/2013 10:15:42 AM", "1/6/2013 10:15:43 AM");
    for _ in 0..count {
        black_box([black_box(first), black_box(second)].concat());
    }
}

/// Removes 1,000 entries from a dictionary. Filling it is not timed.
#[nanobench(count = 1_000)]
fn dictionary_remove(count: usize, tc: &mut TimeControl) {
    tc.pause();
    let mut dictionary: HashMap<_, _> = (0..count).map(|i| (i, i.to_string())).collect();
    tc.resume();
    for i in 0..count {
        black_box(dictionary.remove(&i));
    }
}

/// Computes the remainder of a division by 13, which the compiler turns into a multiplication.
#[nanobench(name = "mod 13")]
fn remainder_13(count: u64) {
    for i in 0..count {
        black_box(black_box(i) % 13);
    }
}

/// Computes the remainder of a division by a power of two, which the compiler turns into a mask.
#[nanobench(name = "mod 2^4")]
fn remainder_16(count: u64) {
    for i in 0..count {
        black_box(black_box(i) % 16);
    }
}

/// Computes the remainder of a division by a number that the compiler doesn't know.
#[nanobench(name = "mod unknown")]
fn remainder_unknown(count: u64) {
    for i in 0..count {
        black_box(black_box(i) % black_box(13));
    }
}
