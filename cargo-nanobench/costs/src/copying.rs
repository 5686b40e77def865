//! Copying and filling memory.

use nanobench::nanobench;
use std::hint::black_box;

const SIZES: [usize; 6] = [16, 256, 4 << 10, 64 << 10, 1 << 20, 16 << 20];

/// A copy between two buffers of that many bytes, which stay the same.
#[nanobench(
    name = "copy bytes",
    args = SIZES, setup = Buffers::of, every = "benchmark", bytes = |_, size| *size
)]
#[ignore = "only if named"]
fn copy(buffers: &mut Buffers, size: usize) {
    black_box(&mut buffers.to)[..size].copy_from_slice(&buffers.from[..size]);
}

/// Setting that many bytes to one value.
#[nanobench(
    name = "fill bytes",
    args = SIZES, setup = Buffers::of, every = "benchmark", bytes = |_, size| *size
)]
#[ignore = "only if named"]
fn fill(buffers: &mut Buffers, size: usize) {
    black_box(&mut buffers.to)[..size].fill(1);
}

/// Moving a struct of 1 KiB from one place to another, as for a value that is returned.
#[nanobench(name = "move a struct of 1 KiB", batch = 2)]
#[ignore = "only if named"]
fn move_struct(count: u64) -> [u64; 128] {
    // There and back: `memcpy` does nothing if both places are the same.
    let (mut here, mut there) = (black_box([1_u64; 128]), black_box([2_u64; 128]));
    for _ in 0..count {
        there = *black_box(&here);
        here = *black_box(&there);
    }
    there
}

struct Buffers {
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Buffers {
    fn of(size: usize) -> Self {
        Self { from: vec![1; size], to: vec![2; size] }
    }
}
