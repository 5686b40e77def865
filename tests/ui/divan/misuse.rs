//! Options that divan doesn't have, and functions that don't fit their options.

use divan::{Bencher, Divan};

#[divan::bench(sample_cuont = 5)]
fn misspelled() {}

#[divan::bench_group(args = [1])]
mod group {}

#[divan::bench(name)]
fn without_value() {}

#[divan::bench(threads = 1, threads = 2)]
fn twice() {}

#[divan::bench(args = [1])]
fn no_parameter() {}

#[divan::bench]
fn no_arguments(_: Bencher, _: u64) {}

#[divan::bench(args = [1])]
fn too_many(_: Bencher, _: u8, _: u8) {}

#[divan::bench(types = [u8])]
fn no_type_parameter() {}

#[divan::bench]
fn no_types<T>() {}

#[divan::bench(consts = [1])]
fn no_const_parameter() {}

#[divan::bench]
fn no_consts<const N: usize>() {}

const MANY: [usize; 21] = [0; 21];

#[divan::bench(consts = MANY)]
fn many_consts<const N: usize>() {}

fn main() {
    Divan::from_args().skip_regex(5).main();
}
