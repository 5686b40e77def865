use nanobench::nanobench;
use smallvec::SmallVec;
use std::hint::black_box;

type Few = SmallVec<[u64; 8]>;

#[nanobench(args = [4, 8, 100])]
fn push(n: u64) -> Few {
    let mut numbers = Few::new();
    for k in 0..n {
        numbers.push(black_box(k));
    }
    numbers
}

#[nanobench(args = [4, 100])]
fn insert(n: u64) -> Few {
    let mut numbers = Few::new();
    for k in 0..n {
        numbers.insert(numbers.len() / 2, black_box(k));
    }
    numbers
}

#[nanobench(args = [4, 100])]
fn collect(n: u64) -> Few {
    (0..n).map(black_box).collect()
}

fn full() -> Few {
    (0..100).collect()
}

#[nanobench(setup = full)]
fn remove(numbers: &mut Few) -> u64 {
    let mut sum = 0;
    while !numbers.is_empty() {
        sum += numbers.remove(0);
    }
    sum
}

#[nanobench(setup = full)]
fn retain(numbers: &mut Few) {
    numbers.retain(|number| *number % 3 == 0);
}

#[nanobench(setup = full)]
fn extend(numbers: &mut Few) {
    numbers.extend_from_slice(black_box(&[1, 2, 3]));
}

#[nanobench(fixture = full)]
fn clone(numbers: &Few) -> Few {
    numbers.clone()
}
