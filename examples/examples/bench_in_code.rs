//! `Bench` called from a `main` function: the examples of `ankerl::nanobench`'s reference.
//!
//! ```console
//! $ cargo run --release --example bench_in_code
//! ```

use nanobench::{Bench, Rng, templates};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::io;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    double_operations();
    random_number_generators();
    fluctuating();
    find_in_a_set();
    sorted_by_time();
    // Any of the templates, or your own.
    let mut bench = Bench::new();
    bench.output(io::sink()).run("x += x", || black_box(1.0) + black_box(1.0));
    bench.render(templates::CSV, &mut io::stdout())?;
    Ok(())
}

/// Some operations on a number.
fn double_operations() {
    let mut bench = Bench::new();
    let mut d = 1.0_f64;
    bench.title("double");
    bench.run("x += x", || {
        d += d;
        d
    });
    let (mut number, sizes) = (1.1_f64, [1.1, 0.9]);
    bench.run("x *= 1.1 or 0.9", || {
        number *= sizes[usize::from(number > 1e10)];
        number
    });
    bench.run("sin", || black_box(1.3_f64).sin()).run("log", || black_box(1.3_f64).ln());
}

/// Random number generators, relative to the first of them.
fn random_number_generators() {
    let (mut romu, mut state) = (Rng::with_seed(1), 1_u64);
    let mut shifted = 1_u64;
    Bench::new()
        .title("Random numbers")
        .unit("u64")
        .relative(true)
        .run("RomuDuoJr", || romu.next_u64())
        .run("linear congruential", || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state
        })
        .run("xorshift", || {
            shifted ^= shifted << 13;
            shifted ^= shifted >> 7;
            shifted ^= shifted << 17;
            shifted
        });
}

/// Each call takes another time, so the row is marked. More iterations in an epoch smooth it.
fn fluctuating() {
    let mut rng = Rng::with_seed(1);
    let mut work = || (0..rng.bounded(1 << 14)).fold(0_u64, |sum, i| sum ^ black_box(u64::from(i)));
    let mut bench = Bench::new();
    bench.title("Fluctuating").min_epoch_time(Duration::ZERO).run("random length", &mut work);
    bench.min_epoch_iterations(1_000).run("random length, many iterations", &mut work);
}

/// The time of a lookup grows with the logarithm of the size.
fn find_in_a_set() {
    let mut bench = Bench::new();
    let mut rng = Rng::with_seed(1);
    let mut set = BTreeSet::new();
    bench.title("BTreeSet::contains");
    for size in [10_u32, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] {
        while set.len() < size as usize {
            set.insert(rng.next_u64());
        }
        let keys: Vec<u64> = set.iter().copied().collect();
        bench.complexity_n(f64::from(size)).run("lookup", || {
            let key = &keys[rng.bounded(size) as usize];
            set.contains(key)
        });
    }
    println!("\n{}", bench.complexity_big_o());
    if let Some(fit) = bench.complexity_big_o_of("O(log log n)", |n| n.log2().log2()) {
        println!("{fit}");
    }
}

/// Results as values, and closures compared with each other.
fn sorted_by_time() {
    let text = "lorem ipsum dolor sit amet ".repeat(40);
    let mut bench = Bench::new();
    bench.title("Searching").unit("byte").batch(text.len() as f64);
    bench
        .compare()
        .with("find(char)", || black_box(&text).find('x'))
        .with("bytes().position", || black_box(&text).bytes().position(|byte| byte == b'x'))
        .with("chars().position", || black_box(&text).chars().position(|c| c == 'x'))
        .run();
    let mut results = bench.results().to_vec();
    results.sort_by(nanobench::BenchResult::compare_to);
    println!();
    for result in results {
        println!("{result}");
    }
}
