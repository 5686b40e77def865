//! Five ways to put the same text together.

use std::hint::black_box;

use nanobench::nanobench;

/// `[a, b, c].concat()`: one allocation of the right size.
#[nanobench]
fn concat() -> String {
    let (first, last) = name();
    [first, " ", last].concat()
}

/// `[a, b].join(" ")`.
#[nanobench]
fn join() -> String {
    let (first, last) = name();
    [first, last].join(" ")
}

/// `format!("{a} {b}")`.
#[nanobench]
fn format() -> String {
    let (first, last) = name();
    format!("{first} {last}")
}

/// `push_str` on a string that starts empty and grows.
#[nanobench]
fn push_str() -> String {
    let (first, last) = name();
    let mut text = String::new();
    text.push_str(first);
    text.push(' ');
    text.push_str(last);
    text
}

/// `push_str` on a string that has room for all of it.
#[nanobench]
fn push_str_with_capacity() -> String {
    let (first, last) = name();
    let mut text = String::with_capacity(first.len() + 1 + last.len());
    text.push_str(first);
    text.push(' ');
    text.push_str(last);
    text
}

fn name() -> (&'static str, &'static str) {
    black_box(("Ada Augusta", "King, Countess of Lovelace"))
}
