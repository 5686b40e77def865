//! A benchmark for each kind of work.

use nanobench::nanobench;
use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::sync::LazyLock;
use work::KindMap;

#[nanobench]
fn chain() -> u64 {
    thread_local!(static LAST: Cell<u64> = const { Cell::new(1) });
    LAST.set(work::kind_chain(LAST.get()));
    LAST.get()
}

#[nanobench]
fn push() -> Vec<u64> {
    work::kind_push()
}

#[nanobench(setup = work::kind_empty_map)]
fn insert(map: &mut KindMap) {
    work::kind_insert(map);
}

#[nanobench]
fn lookup() -> u64 {
    static MAP: LazyLock<KindMap> = LazyLock::new(work::kind_filled_map);
    work::kind_lookup(&MAP)
}

fn filled_map() -> KindMap {
    static FILLED: LazyLock<KindMap> = LazyLock::new(work::kind_filled_map);
    FILLED.clone()
}

#[nanobench(setup = filled_map)]
fn remove(map: &mut KindMap) -> u64 {
    work::kind_remove(map)
}

#[nanobench]
fn allocate() -> Vec<Vec<u8>> {
    work::kind_allocate()
}

fn unsorted() -> Vec<u64> {
    static UNSORTED: LazyLock<Vec<u64>> = LazyLock::new(work::kind_unsorted);
    UNSORTED.clone()
}

#[nanobench(setup = unsorted)]
fn sort(numbers: &mut Vec<u64>) {
    work::kind_sort(numbers);
}

#[nanobench]
fn format() -> usize {
    work::kind_format()
}

#[nanobench]
fn byte_hash() -> u64 {
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(work::kind_bytes);
    work::byte_hash(black_box(&BYTES))
}

#[nanobench]
fn copy() {
    thread_local!(static TWO: RefCell<(Vec<u8>, Vec<u8>)> = RefCell::new(work::kind_buffers()));
    TWO.with_borrow_mut(|(to, from)| work::kind_copy(to, from));
}

#[nanobench]
fn search() -> Option<usize> {
    static TEXT: LazyLock<String> = LazyLock::new(work::kind_haystack);
    work::search(black_box(&TEXT), black_box("needle"))
}

#[nanobench]
fn chase() -> u32 {
    static RING: LazyLock<Vec<u32>> = LazyLock::new(work::kind_ring);
    thread_local!(static AT: Cell<u32> = const { Cell::new(0) });
    AT.set(work::kind_chase(&RING, AT.get()));
    AT.get()
}

#[nanobench]
fn sleep_2ms() {
    work::kind_sleep();
}

/// An unrelated edit.
#[cfg(feature = "edit4")]
#[nanobench(args = [10, 1_000])]
fn added(n: usize) -> Vec<String> {
    work::kind_added(n)
}
