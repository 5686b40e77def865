//! A bench target with `harness = false` in `Cargo.toml` and `nanobench::main!()`, so that plain
//! `cargo bench` prints the table, too. The other files don't need this.

use std::hint::black_box;

use nanobench::nanobench;

nanobench::main!();

const KIBIBYTE: [u8; 1024] = [0xa5; 1024];

/// Adds up the bytes.
#[nanobench]
fn sum() -> u32 {
    black_box(&KIBIBYTE).iter().copied().map(u32::from).sum()
}

/// Computes FNV-1a, in which each byte waits for the previous multiplication.
#[nanobench]
fn fnv_1a() -> u64 {
    black_box(&KIBIBYTE)
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Computes Adler-32, as in zlib streams, with a division at the end.
#[nanobench]
fn adler_32() -> u32 {
    let (a, b) = black_box(&KIBIBYTE).iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = a + u32::from(byte);
        (a, b + a)
    });
    ((b % 65_521) << 16) | (a % 65_521)
}
