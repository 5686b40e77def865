//! Options for units, throughput, baselines, groups and conditions.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

use nanobench::{TimeControl, nanobench};

const SIZE: usize = 64;

#[nanobench(batch = 10)]
fn batch() {}

#[nanobench(unit = "value")]
fn per_value() {}

#[nanobench(batch = SIZE * 2, unit = "byte")]
fn batch_of_constant() -> [u8; SIZE * 2] {
    [1; SIZE * 2]
}

#[nanobench(scale = 2)]
fn scale() -> (u64, u64) {
    (5, 6)
}

#[nanobench(scale = SIZE as u32, batch = 3_u8)]
fn other_types() {}

#[nanobench(unit = "µop")]
fn unit(count: u64) -> u64 {
    count
}

// Throughput.

#[nanobench(bytes = 1_024)]
fn bytes() {}

#[nanobench(bytes = SIZE, items = SIZE / 2, chars = 5_000_000_000)]
fn several() {}

#[nanobench(args = ["a", "größe"], bytes = |text| text.len(), chars = |text| text.chars().count())]
fn of_text(text: &str) -> usize {
    text.len()
}

#[nanobench(args = [String::from("a")], chars = |text: &str| text.chars().count())]
fn of_text_by_coercion(text: &str) -> usize {
    text.len()
}

#[nanobench(args = [10, 1_000], items = |n| n * 2)]
fn of_number(n: u64) -> u64 {
    n
}

#[nanobench(args = [10_u16, 1_000], items = |n| n)]
fn of_number_by_reference(n: u16) -> u16 {
    n
}

#[nanobench(args = [10, 1_000], items = |&n| n)]
fn of_number_by_pattern(n: u32) -> u32 {
    n
}

#[nanobench(args = [10, 1_000], setup = |n| vec![0_u64; n], bytes = |v| v.len() * 8)]
fn of_setup(values: Vec<u64>) -> Vec<u64> {
    values
}

#[nanobench(setup = || (0..10).collect(), items = |values| values.len())]
fn of_inferred_setup(values: Vec<u64>) -> Vec<u64> {
    values
}

#[nanobench(setup = || String::from("text"), bytes = |text: &String| text.len() as u64)]
fn of_setup_by_type(text: &str) -> usize {
    text.len()
}

#[nanobench(setup = || vec![0_u8; 10], every = "sample", bytes = |bytes: &[u8]| bytes.len())]
fn of_state(bytes: &mut Vec<u8>) {
    bytes.clear();
}

#[nanobench(setup = || vec![0_u8; 10], every = "benchmark", bytes = |bytes| bytes.len(), items = 7)]
fn of_long_state(bytes: &mut Vec<u8>) {
    bytes.clear();
}

fn text() -> String {
    "text".repeat(10)
}

#[nanobench(fixture = text, bytes = |text| text.len())]
fn of_fixture(text: &str) -> usize {
    text.len()
}

#[nanobench(fixture = text, args = [4], setup = || vec![1], items = |values| values.len() * 2, count = 5)]
fn of_all(values: &mut [u64], n: usize, text: &str, count: u64, tc: &mut TimeControl) -> usize {
    tc.pause();
    values.len() + n + text.len() + count as usize
}

#[nanobench(types = [u8, u64], consts = [4, 8], setup = || [T::default(); N], bytes = |_| N * size_of::<T>())]
fn of_instance<T: Default + Copy, const N: usize>(values: [T; N]) -> [T; N] {
    values
}

// Baselines.

#[nanobench(baseline = batch)]
fn compared() {}

#[nanobench(baseline = self::other::first, unit = "key")]
fn compared_by_path() {}

#[nanobench(args = [1], baseline = crate_names::generic)]
fn compared_with_generic(n: u64) -> u64 {
    n
}

mod crate_names {
    #[nanobench::nanobench(types = [u8, u16])]
    pub(super) fn generic<T: Default>() -> T {
        T::default()
    }
}

// Groups.

/// A module whose functions share options.
#[nanobench(samples = 7, tags = ["both", "module"], unit = "key", baseline = first, context(of = "module"))]
mod other {
    use nanobench::nanobench;

    #[nanobench]
    pub(super) fn first() {}

    #[nanobench(samples = 8, tags = "own", group = "named")]
    fn second() {}

    #[nanobench(cache = "both", iterations = SAMPLES)]
    pub(crate) mod inner {
        #[nanobench::nanobench]
        fn third() {}

        const _: u64 = super::SAMPLES;
    }

    const SAMPLES: u64 = 9;
}

#[nanobench(group = "named", warmup = 0, prime = true, sample_time = "1ms", batch = 2, threads = 2)]
#[cfg(any(unix, not(unix)))]
pub(crate) mod named {}

#[nanobench(group = "left out")]
#[cfg(any())]
mod left_out {
    compile_error!("it is not there");
}

mod r#mod {
    #[nanobench::nanobench(tags = "raw", crate = nanobench)]
    pub(super) mod r#type {
        #[nanobench::nanobench(baseline = r#fn)]
        pub(crate) fn r#try() {}

        #[nanobench::nanobench]
        fn r#fn() {}
    }
}

macro_rules! module {
    ($name:ident, $group:literal, $($item:item)*) => {
        #[nanobench(group = $group, tags = [$group])]
        mod $name {
            $($item)*
        }
    };
}

module! { written, "by a macro",
    #[nanobench::nanobench]
    fn inside() {}
}

#[nanobench(group = "named", tags = ["slow", "io"])]
fn grouped() {}

// Other options.

#[nanobench(context(input = "random", seed = 5, ratio = -0.5, sorted = false, sep = ','))]
fn context() {}

#[nanobench(args = [1, 10, 100], complexity)]
fn complexity(n: u64) -> u64 {
    n
}

#[nanobench(consts = [1, 10, 100], complexity = |n| n.sqrt() * 2.0)]
fn complexity_of_closure<const N: usize>() -> usize {
    N
}

fn curve(n: f64) -> f64 {
    n.ln()
}

#[nanobench(args = [1.5, 10.0, 20.0], complexity = curve)]
fn complexity_of_path(x: f64) -> f64 {
    x
}

#[nanobench(cache = "cold")]
fn cold() {}

#[nanobench(cache = "both", args = [1, 2])]
fn both(n: u64) -> u64 {
    n
}

#[nanobench(threads = [1, SIZE / 32])]
fn threads() -> String {
    "text".to_owned()
}

const FEW: &[usize] = &[1, 2];

fn doubling(most: u32) -> impl Iterator<Item = u32> {
    (0..most).map(|shift| 1 << shift)
}

#[nanobench(threads = FEW)]
fn threads_of_constant() {}

#[nanobench(threads = SIZE / 32)]
fn threads_of_one_constant() {}

#[nanobench(threads = doubling(2))]
fn threads_of_function() {}

#[nanobench(threads = 1..=2_u8)]
fn threads_of_range() {}

#[nanobench(threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(2)))]
fn threads_of_machine() {}

#[nanobench(threads = 2, args = vec!["a".to_owned()], setup = |text: &str| text.len(), fixture = text)]
fn threads_and_all(n: usize, argument: String, text: &str) -> usize {
    n + argument.len() + text.len()
}

#[nanobench(threads = [2], setup = || vec![1], every = "sample", teardown = drop)]
fn threads_and_state(values: &mut Vec<u64>, tc: &mut TimeControl, count: u64) {
    tc.exclude(|| values.push(count));
}

#[nanobench(
    args = [10, 20, 40],
    types = [u32, u64],
    consts = [2, 4],
    setup = |n| vec![T::from(1_u8); n * N],
    every = "sample",
    reset = || (),
    teardown = |_| (),
    fixture = text,
    count = 3,
    name = "all",
    unit = "value",
    batch = N,
    scale = 2,
    bytes = |values| values.len() * size_of::<T>(),
    chars = 40,
    items = |values| values.len(),
    baseline = per_value,
    group = "named",
    tags = ["all"],
    complexity = |n| n,
    cache = "both",
    threads = [1, 2],
    context(of = "all"),
    samples = 3,
    sample_time = "1ms",
    warmup = 0,
    prime = true,
    crate = nanobench,
)]
fn all_at_once<T: From<u8> + Clone, const N: usize>(
    values: &mut [T],
    n: usize,
    text: &str,
    count: u64,
    tc: &mut TimeControl,
) -> usize {
    tc.pause();
    values.len() + n + text.len() + count as usize
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    batch();
    other::first();
    r#mod::r#type::r#try();
    assert_eq!(complexity(5), 5);
}

fn length(text: &&str) -> usize {
    text.len()
}

/// By a closure and by the path of a function.
#[nanobench(args = ["a", "bcd"], batch = |text| text.len(), unit = |text| text.to_uppercase())]
fn following(_text: &str) {}

#[nanobench(args = ["a", "bc", "def"], complexity_n = length, label = |_| "text")]
fn following_by_path(_text: &str) {}

macro_rules! following {
    ($name:ident, $size:expr, $batch:expr, $curve:expr) => {
        #[nanobench(args = [1, 2, 3], complexity_n = $size, batch = $batch, complexity = $curve)]
        fn $name(_n: u64) {}
    };
}

following!(following_by_macro, |n| 2 * n, |&n| n + 1, ("O(sqrt n)", |n| n.sqrt()));
