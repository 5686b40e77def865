//! Redundant parentheses and braces, under many lints: the emitted code causes no warnings.

#![forbid(unsafe_code)]
#![deny(
    warnings,
    keyword_idents,
    let_underscore,
    nonstandard_style,
    refining_impl_trait,
    rust_2018_idioms,
    unused,
    absolute_paths_not_starting_with_crate,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    ffi_unwind_calls,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_abi,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unsafe_op_in_unsafe_fn,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_parens,
    unused_braces,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::cargo
)]
#![allow(
    clippy::cargo,
    clippy::missing_const_for_fn,
    clippy::redundant_pub_crate,
    reason = "they are about packages, and about the functions themselves"
)]

use nanobench::{TimeControl, nanobench};
use std::time::Duration;

const SIZE: u64 = 4;
const ROWS: usize = 4;

#[nanobench(args = (0..3_u32))]
fn args(n: u32) -> u32 {
    n
}

#[nanobench(args = ((0..3_u32)))]
fn args_twice(n: u32) -> u32 {
    n
}

#[nanobench(args = { [1, 2] })]
fn args_in_braces(n: u64) -> u64 {
    n
}

/// An attribute is allowed before a statement, but not before an expression.
#[nanobench(args = { #[deny(unused)] ([3 * 2]) }, samples = ({ #[deny(unused)] { 3 } }))]
fn args_with_an_attribute(n: u64) -> u64 {
    n
}

#[nanobench(consts = [{ #[deny(unused)] (3 * 2) }])]
fn constants_with_an_attribute<const N: usize>() -> usize {
    N
}

macro_rules! value {
    () => {
        [5_u64]
    };
}

#[nanobench(args = { value! {} })]
fn args_of_a_macro_in_braces(n: u64) -> u64 {
    n
}

macro_rules! statements {
    () => {
        let n = 5;
        [n]
    };
}

#[nanobench(args = { statements! {} })]
fn args_of_statements_of_a_macro(n: u64) -> u64 {
    n
}

#[nanobench(setup = ({ ({ (|| 5_u64) }) }))]
fn a_closure_within(n: u64) -> u64 {
    n
}

#[nanobench(args = ([(1), (2)]), bytes = (8), items = (SIZE), chars = (|n| *n))]
fn amounts(n: u64) -> u64 {
    n
}

#[nanobench(args = [1, 2], bytes = { SIZE }, items = { |n| *n })]
fn amounts_in_braces(n: u64) -> u64 {
    n
}

#[nanobench(types = [(u32), (Vec<u8>)], batch = (SIZE))]
fn types<T: Default>() -> T {
    T::default()
}

#[nanobench(types = [((u32), (u8)), (u8, u8)], consts = [((16), { 2 }), ((8 + 8), 3)])]
fn types_and_consts<T: Default, U: Default, const N: usize, const M: usize>() -> (T, U, usize) {
    (T::default(), U::default(), N + M)
}

#[nanobench(consts = ([(16), { 32 }, (ROWS), { 1 + 2 }]), complexity = (|n| n.sqrt()))]
fn consts<const N: usize>() -> usize {
    N
}

#[nanobench(consts = [(true), { false }])]
fn flags<const B: bool>() -> bool {
    B
}

#[nanobench(args = (1..4), complexity = (f64::sqrt))]
fn curve(n: u64) -> u64 {
    n
}

#[nanobench(args = [1, 2, 3], complexity = { |n| n * 2.0 })]
fn curve_in_braces(n: u64) -> u64 {
    n
}

#[nanobench(batch = (SIZE), scale = (2), samples = (5), iterations = (SIZE * 2), warmup = (0), threshold = (2.0))]
fn numbers() {}

#[nanobench(batch = { SIZE }, scale = { 2 }, samples = { SIZE }, warmup = { 3 }, threshold = { 2.5 })]
fn numbers_in_braces() {}

#[nanobench(count = (SIZE))]
fn count(count: u64) -> u64 {
    count
}

#[nanobench(count = { 5 + 5 })]
fn count_in_braces(count: usize) -> usize {
    count
}

#[nanobench(unit = ("byte"), name = ("named"), group = ("grouped"), tags = (["a", ("b")]), cache = ("both"))]
fn words() {}

#[nanobench(context(key = ("value"), number = (-5)), prime = (true), sample_time = ("1ms"))]
fn context() {}

#[nanobench(threads = (1))]
fn thread() {}

#[nanobench(threads = ([(1), (2)]))]
fn threads() {}

#[nanobench(threads = (1..=2))]
fn threads_of_a_range() {}

#[nanobench(threads = { [1, 2] })]
fn threads_in_braces() {}

#[nanobench(setup = (|| vec![1, 2]))]
fn setup(numbers: Vec<u64>) -> Vec<u64> {
    numbers
}

#[nanobench(setup = (Vec::new))]
fn setup_by_path(numbers: Vec<u64>) -> Vec<u64> {
    numbers
}

#[nanobench(setup = { || vec![1] }, bytes = (|numbers| numbers.len()))]
fn setup_in_braces(numbers: &mut Vec<u64>) {
    numbers.clear();
}

#[nanobench(args = ([1, 2]), setup = (|n| vec![n]), every = ("sample"), teardown = (|_| ()), reset = (|| ()))]
fn state(numbers: &mut Vec<u64>) {
    numbers.clear();
}

#[nanobench(args = (1..3_u64), setup = (|n: &u64| vec![*n]), every = ("benchmark"), teardown = (drop))]
fn state_of_the_benchmark(numbers: &[u64]) -> usize {
    numbers.len()
}

#[nanobench(setup = (String::new), every = "benchmark", teardown = (|_text| {}))]
fn state_by_path(text: &mut String) {
    text.clear();
}

#[nanobench(setup = (String::new), every = "sample", teardown = (|| ()))]
fn teardown_of_nothing(text: &mut String) {
    text.clear();
}

fn numbers_of_all() -> Vec<u64> {
    vec![1, 2]
}

#[nanobench(fixture = (numbers_of_all), items = (|numbers| numbers.len()))]
fn fixture(numbers: &[u64]) -> usize {
    numbers.len()
}

#[nanobench(fixture = (|| vec![5_u64]))]
fn fixture_by_closure(numbers: &[u64]) -> usize {
    numbers.len()
}

#[nanobench(args = [String::from("a")], setup = |text: &str| text.to_owned(), chars = |text: &str| text.chars().count())]
fn text_of_arguments(text: String) -> String {
    text
}

#[nanobench(args = ["a", "b"])]
fn text(text: &str) -> usize {
    text.len()
}

#[nanobench(args = [1.5, 2.5])]
fn float(x: f64) -> f64 {
    x
}

#[nanobench(args = [Duration::from_secs(1)])]
fn of_another_type(length: Duration, tc: &mut TimeControl) -> Duration {
    tc.pause();
    length
}

#[nanobench(unroll = (3))]
fn unrolled() -> u64 {
    SIZE
}

/// A runtime.
#[derive(Debug, Clone, Copy)]
struct Runtime;

impl Runtime {
    #[expect(clippy::unused_self, reason = "that is how a runtime is called")]
    fn block_on<F: Future>(self, future: F) -> F::Output {
        let mut future = std::pin::pin!(future);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        loop {
            if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
        }
    }
}

#[nanobench]
async fn future() -> u64 {
    std::future::ready(SIZE).await
}

#[nanobench(runtime = (Runtime))]
async fn future_on_a_runtime() -> u64 {
    std::future::ready(SIZE).await
}

#[nanobench(runtime = { Runtime })]
async fn future_on_a_runtime_in_braces() -> u64 {
    std::future::ready(SIZE).await
}

#[nanobench(runtime = (|future| Runtime.block_on(future)), args = (1..3))]
async fn future_by_a_closure(n: u64) -> u64 {
    std::future::ready(n).await
}

#[nanobench(args = [1, 2], baseline = args_in_braces)]
fn compared(n: u64) -> u64 {
    n
}

/// Options for all in it.
#[nanobench(batch = (SIZE), threads = ([1, 2]), threshold = (1.0), samples = { 3 }, context(kind = ("all")))]
mod module {
    #[nanobench::nanobench]
    fn member() {}
}

/// Options passed through a macro.
macro_rules! passed {
    ($name:ident, $args:expr, $batch:expr, $threads:expr) => {
        #[nanobench(args = $args, batch = $batch, threads = $threads)]
        fn $name(n: u64) -> u64 {
            n
        }
    };
}
passed!(by_macro, (1..3), (SIZE), ([1]));

/// The functions stay callable.
pub(crate) fn main() {
    assert_eq!((setup(vec![1]), text("a")), (vec![1], 1));
}
