//! Measures how the time grows with the size of the input. `complexity` fits the rows of a function
//! to O(1), O(log n), O(n), O(n log n), O(n^2) and O(n^3), and prints the best fits.

use std::collections::{BinaryHeap, HashSet};
use std::hint::black_box;

use nanobench::nanobench;
use nanobench_examples::random;

/// O(1): finds a number in a hash set, which is made once and stays in the caches.
#[nanobench(args = [16, 64, 256, 1_024], setup = |n| (0..n).collect::<HashSet<u64>>(), every = "benchmark", complexity)]
fn find_in_hash_set(set: &HashSet<u64>) -> bool {
    set.contains(&black_box(7))
}

/// O(log n): halves the interval in each step.
#[nanobench(args = (1..=10).map(|k| 1_u64 << (6 * k)), complexity)]
fn square_root(n: u64) -> u64 {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = black_box(low + (high - low).div_ceil(2));
        if middle.checked_mul(middle).is_some_and(|square| square <= n) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// O(n): reads each number once.
#[nanobench(args = [100, 400, 1_600, 6_400, 25_600], setup = random::numbers, complexity)]
fn largest(numbers: &[u64]) -> Option<u64> {
    numbers.iter().map(|&number| black_box(number)).max()
}

/// O(n log n): repeatedly takes the largest number from a heap.
#[nanobench(args = [100, 400, 1_600, 6_400, 25_600], setup = random::numbers, complexity)]
fn heap_sort(numbers: Vec<u64>) -> Vec<u64> {
    BinaryHeap::from(numbers).into_sorted_vec()
}

/// O(n^2): compares all pairs of numbers.
#[nanobench(args = [16, 32, 64, 128, 256], setup = random::numbers, complexity)]
fn closest_pair(numbers: &[u64]) -> u64 {
    let mut closest = u64::MAX;
    for (i, a) in numbers.iter().enumerate() {
        for b in &numbers[i + 1..] {
            closest = closest.min(black_box(a.abs_diff(*b)));
        }
    }
    closest
}

/// A custom complexity in addition to the built-in ones: tries divisors up to the square root of a
/// prime.
#[nanobench(args = [1_009, 10_007, 100_003, 1_000_003, 10_000_019], complexity = |n| n.sqrt())]
fn is_prime(n: u64) -> bool {
    (2..).take_while(|d| d * d <= n).all(|d| !black_box(n).is_multiple_of(d))
}
