use base64::{Engine as _, engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD}};
use nanobench::nanobench;

const SIZES: [usize; 6] = [3, 16, 64, 250, 1_024, 10_000];

fn all() -> Vec<u8> {
    bytes(10_000)
}

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|k| (k * 31) as u8).collect()
}

fn text(n: usize) -> String {
    STANDARD.encode(bytes(n))
}

#[nanobench(args = SIZES, fixture = all)]
fn encode(n: usize, all: &[u8]) -> String {
    STANDARD.encode(&all[..n])
}

#[nanobench(args = SIZES, setup = bytes, every = "benchmark")]
fn encode_for_urls(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

#[nanobench(args = SIZES, setup = |n| (bytes(n), vec![0; 2 * n + 4]), every = "benchmark")]
fn encode_slice((bytes, room): &mut (Vec<u8>, Vec<u8>)) -> usize {
    STANDARD.encode_slice(bytes, room).unwrap()
}

#[nanobench(args = SIZES, setup = text, every = "benchmark")]
fn decode(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

fn encoded() -> String {
    URL_SAFE_NO_PAD.encode(all())
}

/// Text of whole groups.
#[nanobench(args = SIZES, fixture = encoded)]
fn is_valid(n: usize, encoded: &str) -> bool {
    URL_SAFE_NO_PAD.decode(&encoded[..n / 4 * 4]).is_ok()
}

#[nanobench(args = SIZES, setup = |n| (text(n), vec![0; n + 8]), every = "benchmark")]
fn decode_slice((text, room): &mut (String, Vec<u8>)) -> usize {
    STANDARD.decode_slice(text, room).unwrap()
}
