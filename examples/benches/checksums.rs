//! A benchmark target of its own: `harness = false` in `Cargo.toml` and `nanobench::main!()` below. Plain
//! `cargo bench` then prints the table too. Nothing but that speaks for it: the other files here do without.

use std::hint::black_box;

use nanobench::nanobench;

nanobench::main!();

const KIBIBYTE: [u8; 1024] = [0xa5; 1024];

/// Adds the bytes up.
#[nanobench]
fn sum() -> u32 {
    black_box(&KIBIBYTE).iter().copied().map(u32::from).sum()
}

/// FNV-1a: each byte waits for the multiplication before it.
#[nanobench]
fn fnv_1a() -> u64 {
    black_box(&KIBIBYTE)
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Adler-32, as in zlib streams, with a division at the end.
#[nanobench]
fn adler_32() -> u32 {
    let (a, b) = black_box(&KIBIBYTE).iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = a + u32::from(byte);
        (a, b + a)
    });
    ((b % 65_521) << 16) | (a % 65_521)
}
