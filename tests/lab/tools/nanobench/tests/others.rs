//! A benchmark for each of the other kinds of work.

use nanobench::nanobench;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::LazyLock;
use work::{Instruction, Queue, Shape, Vector};

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(work::other_bytes);
static TEXT: LazyLock<String> = LazyLock::new(work::other_text);

#[nanobench]
fn tokenise() -> (usize, usize) {
    static OBJECTS: LazyLock<String> = LazyLock::new(work::other_objects);
    work::other_tokenise(black_box(&OBJECTS))
}

#[nanobench]
fn base64() -> String {
    work::other_base64(black_box(&BYTES))
}

#[nanobench]
fn crc() -> u32 {
    static TABLE: LazyLock<[u32; 256]> = LazyLock::new(work::other_crc_table);
    work::other_crc(black_box(&TABLE), black_box(&BYTES))
}

#[nanobench]
fn range() -> u64 {
    static TREE: LazyLock<BTreeMap<u64, u64>> = LazyLock::new(work::other_tree);
    work::other_range(black_box(&TREE))
}

#[nanobench]
fn events() -> u64 {
    thread_local!(static QUEUE: RefCell<Queue> = RefCell::new(work::other_queue()));
    QUEUE.with_borrow_mut(work::other_events)
}

#[nanobench]
fn automaton() -> usize {
    static AUTOMATON: LazyLock<[u64; 256]> = LazyLock::new(work::other_automaton);
    work::other_match(black_box(&AUTOMATON), black_box(&TEXT))
}

#[nanobench]
fn utf8() -> usize {
    work::other_utf8(black_box(TEXT.as_bytes()))
}

#[nanobench]
fn power() -> f64 {
    static MATRIX: LazyLock<[Vector; 16]> = LazyLock::new(work::other_matrix);
    work::other_power(black_box(&MATRIX))
}

#[nanobench]
fn sieve() -> usize {
    work::other_sieve()
}

#[nanobench]
fn nearest() -> usize {
    static WORDS: LazyLock<Vec<String>> = LazyLock::new(work::other_words);
    work::other_nearest(black_box("1f83d9abfb41"), black_box(&WORDS))
}

#[nanobench]
fn interpret() -> u64 {
    static PROGRAM: LazyLock<Vec<Instruction>> = LazyLock::new(work::other_program);
    work::other_interpret(black_box(&PROGRAM))
}

#[nanobench]
fn join() -> usize {
    static LINES: LazyLock<String> = LazyLock::new(work::other_lines);
    work::other_join(black_box(&LINES))
}

#[nanobench]
fn area() -> f64 {
    thread_local!(static SHAPES: Vec<Box<dyn Shape>> = work::other_shapes());
    SHAPES.with(|shapes| work::other_area(black_box(shapes)))
}

/// An unrelated edit.
#[cfg(feature = "edit4")]
#[nanobench(args = [10, 1_000])]
fn added(n: usize) -> Vec<String> {
    work::kind_added(n)
}
