//! The suite for divan.

use divan::{Bencher, bench, black_box};
use work::*;

fn main() {
    divan::main();
}

#[bench]
fn empty() {}

#[bench]
fn chain1(b: Bencher) {
    let mut x = 1;
    b.bench_local(|| {
        x = chain::<1>(x);
        x
    });
}

#[bench]
fn chain10(b: Bencher) {
    let mut x = 1;
    b.bench_local(|| {
        x = chain::<10>(x);
        x
    });
}

#[bench]
fn chain100(b: Bencher) {
    let mut x = 1;
    b.bench_local(|| {
        x = chain::<100>(x);
        x
    });
}

#[bench]
fn add() -> u64 {
    black_box(3) + black_box(4)
}

#[bench]
fn format() -> String {
    format_u64(black_box(1_234_567))
}

#[bench(name = "vec_push")]
fn vec_push_() -> Vec<u64> {
    vec_push(black_box(1_000))
}

#[bench(name = "map_insert")]
fn map_insert_(b: Bencher) {
    b.with_inputs(empty_map).bench_refs(map_insert);
}

#[bench(name = "map_remove")]
fn map_remove_(b: Bencher) {
    let map = filled_map();
    b.with_inputs(|| map.clone()).bench_refs(map_remove);
}

#[bench(name = "sort")]
fn sort_(b: Bencher) {
    let numbers = unsorted();
    b.with_inputs(|| numbers.clone()).bench_refs(|numbers| sort(numbers));
}

#[bench(name = "byte_hash")]
fn byte_hash_(b: Bencher) {
    let data = bytes(65_536);
    b.bench(|| byte_hash(black_box(&data)));
}

#[bench(name = "copy")]
fn copy_(b: Bencher) {
    let (mut to, from) = (vec![2; MIB], vec![1; MIB]);
    b.bench_local(|| copy(black_box(&mut to), black_box(&from)));
}

#[bench(name = "search")]
fn search_(b: Bencher) {
    let text = haystack();
    b.bench(|| search(black_box(&text), black_box("needle")));
}

#[bench(name = "sleep_2ms")]
fn sleep_() {
    sleep_2ms();
}

#[bench]
fn setup_empty(b: Bencher) {
    b.with_inputs(|| 1_u64).bench_values(|x| x);
}

#[bench]
fn setup_chain10(b: Bencher) {
    b.with_inputs(|| 1).bench_values(chain::<10>);
}

#[bench]
fn setup_vec64(b: Bencher) {
    b.with_inputs(|| vec![0_u8; 64]).bench_values(|mut v| {
        v[0] += 1;
        v
    });
}
