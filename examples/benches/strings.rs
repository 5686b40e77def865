//! Compares five ways to concatenate strings.

use std::hint::black_box;

use nanobench::nanobench;

/// Uses `[a, b, c].concat()`, with one allocation of the right size.
#[nanobench]
fn concat() -> String {
    let (first, last) = name();
    [first, " ", last].concat()
}

/// Uses `[a, b].join(" ")`.
#[nanobench]
fn join() -> String {
    let (first, last) = name();
    [first, last].join(" ")
}

/// Uses `format!("{a} {b}")`.
#[nanobench]
fn format() -> String {
    let (first, last) = name();
    format!("{first} {last}")
}

/// Uses `push_str` on a string that grows.
#[nanobench]
fn push_str() -> String {
    let (first, last) = name();
    let mut text = String::new();
    text.push_str(first);
    text.push(' ');
    text.push_str(last);
    text
}

/// Uses `push_str` on a string with enough capacity.
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
