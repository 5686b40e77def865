use nanobench::nanobench;
use std::hint::black_box;

#[nanobench(args = [0, 42, 65_535, u32::MAX])]
fn u32(n: u32) -> usize {
    itoa::Buffer::new().format(n).len()
}

#[nanobench(args = [-1, 1_234_567, i64::MIN])]
fn i64(n: i64) -> usize {
    itoa::Buffer::new().format(n).len()
}

#[nanobench(args = [7, u64::MAX as u128, u128::MAX])]
fn u128(n: u128) -> usize {
    itoa::Buffer::new().format(n).len()
}

fn numbers() -> Vec<u64> {
    (0..200).map(|k: u64| k.wrapping_pow(7)).collect()
}

#[nanobench(fixture = numbers)]
fn list(numbers: &[u64]) -> String {
    let mut text = String::new();
    for number in numbers {
        text.push_str(itoa::Buffer::new().format(*black_box(number)));
        text.push(',');
    }
    text
}
