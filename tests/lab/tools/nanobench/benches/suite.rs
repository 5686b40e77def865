//! The suite, as its other tools have it.

use nanobench::nanobench;
use std::cell::RefCell;
use std::hint::black_box;
use std::sync::LazyLock;
use work::{MIB, Map};

#[nanobench]
fn empty() {}

#[nanobench]
fn chain1() -> u64 {
    work::fed::<1>()
}

#[nanobench]
fn chain10() -> u64 {
    work::fed::<10>()
}

#[nanobench]
fn chain100() -> u64 {
    work::fed::<100>()
}

#[nanobench]
fn add() -> u64 {
    black_box(3) + black_box(4)
}

#[nanobench]
fn format() -> String {
    work::format_u64(black_box(1_234_567))
}

#[nanobench]
fn vec_push() -> Vec<u64> {
    work::vec_push(black_box(1_000))
}

#[nanobench(setup = work::empty_map)]
fn map_insert(map: &mut Map) {
    work::map_insert(map);
}

#[nanobench(setup = filled_map)]
fn map_remove(map: &mut Map) -> u64 {
    work::map_remove(map)
}

fn filled_map() -> Map {
    static FILLED: LazyLock<Map> = LazyLock::new(work::filled_map);
    FILLED.clone()
}

#[nanobench(setup = unsorted)]
fn sort(numbers: &mut Vec<u64>) {
    work::sort(numbers);
}

fn unsorted() -> Vec<u64> {
    static UNSORTED: LazyLock<Vec<u64>> = LazyLock::new(work::unsorted);
    UNSORTED.clone()
}

#[nanobench]
fn byte_hash() -> u64 {
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| work::bytes(65_536));
    work::byte_hash(black_box(&BYTES))
}

#[nanobench]
fn copy() {
    thread_local!(static TWO: RefCell<(Vec<u8>, Vec<u8>)> = RefCell::new((vec![2; MIB], vec![1; MIB])));
    TWO.with_borrow_mut(|(to, from)| work::copy(black_box(to), black_box(from)));
}

#[nanobench]
fn search() -> Option<usize> {
    static TEXT: LazyLock<String> = LazyLock::new(work::haystack);
    work::search(black_box(&TEXT), black_box("needle"))
}

#[nanobench]
fn sleep_2ms() {
    work::sleep_2ms();
}

#[nanobench(setup = || 1_u64)]
fn setup_empty(x: u64) -> u64 {
    x
}

#[nanobench(setup = || 1_u64)]
fn setup_chain10(x: u64) -> u64 {
    work::chain::<10>(x)
}

#[nanobench(setup = || vec![0_u8; 64])]
fn setup_vec64(mut v: Vec<u8>) -> Vec<u8> {
    v[0] += 1;
    v
}
