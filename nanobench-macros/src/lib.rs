//! The attribute `#[nanobench]`. Use it through the crate [nanobench-core], which re-exports it as
//! `nanobench::nanobench` and has what its expansion needs.
//!
//! [nanobench-core]: https://docs.rs/nanobench-core

mod attributes;
mod body;
mod borrows;
mod callable;
mod context;
mod count;
mod description;
mod elsewhere;
mod errors;
mod expand;
mod group;
mod inputs;
mod instances;
mod item;
mod names;
mod nearest;
mod number;
mod options;
mod parameters;
mod rows;
mod run;
mod runtime;
mod settings;
mod setup;
mod signature;
mod state;
mod throughput;
mod values;
mod written;

use proc_macro::TokenStream;

/// Marks a function as a benchmark; on a module, gives options to all benchmarks in it.
///
/// ```
/// use nanobench::nanobench;
///
/// /// Two short strings, as they come from a command line.
/// #[nanobench]
/// fn concat() -> String {
///     ["left", "right"].concat()
/// }
/// ```
///
/// `cargo nanobench` finds the function, calls it as often as it takes and prints how long one call lasts. The
/// function may stand in a bench target, `benches/*.rs`, or under `#[cfg(test)]` in `src/`, beside the private
/// functions that it measures. No entry in Cargo.toml and no `main` is needed. `cargo test` calls the function
/// once, as the test `nanobench_concat`, which fails if the function panics.
///
/// The function stays as it was written and can be called like any other. Its doc comment is its description in
/// the reports.
///
/// # Forms
///
/// What the function takes says how it is measured, and what the figure is per. Parameters are told apart by their
/// types.
///
/// | form | the figure is per |
/// |---|---|
/// | `fn f()`, `fn f() -> T` | call |
/// | `fn f(count: u64)`, or `u32`, or `usize` | operation: the time of a call divided by `count` |
/// | `fn f(tc: &mut TimeControl)` | call, without what `tc` took out |
/// | `fn f(count: u64, tc: &mut TimeControl)` | operation, without what `tc` took out |
///
/// To each of them the options `setup`, `args` and `fixture` add a parameter of any type, in this order. A count and a
/// `TimeControl` may stand anywhere. Each of them may be an `async fn`, driven by a small `block_on` or by `runtime`.
///
/// Each of them may return a value. It is kept from the optimiser, so that computing it can't be left out, and
/// dropping it is not timed.
///
/// ## `count`: a loop that is part of the function
///
/// The function does `count` operations, whatever `count` is, and the figure is for one of them. Without more said, a
/// good count is found by trial.
///
/// ```
/// use nanobench::nanobench;
/// use std::hint::black_box;
///
/// #[nanobench]
/// fn sqrt(count: u32) {
///     for i in 0..count {
///         black_box(f64::from(i).sqrt());
///     }
/// }
/// ```
///
/// ## `TimeControl`: what is not to be timed
///
/// The clock runs when the function is called. It stands still between `pause` and `resume`, and while `exclude`
/// runs a closure; `reset` forgets the call's time so far. What these calls cost is itself taken out.
///
/// ```
/// use nanobench::{TimeControl, nanobench};
/// use std::collections::HashMap;
/// use std::hint::black_box;
///
/// #[nanobench(count = 1_000)]
/// fn remove(count: usize, tc: &mut TimeControl) {
///     let mut map: HashMap<usize, String> = tc.exclude(|| (0..count).map(|i| (i, i.to_string())).collect());
///     for i in 0..count {
///         black_box(map.remove(&i));
///     }
/// }
/// ```
///
/// ## `setup`: an input for each call
///
/// `setup` is a closure or a function without arguments. Each call takes a value that it made before the clock was
/// started. A value that is taken by reference is dropped after the clock has stopped; one that is taken by value is
/// dropped where the function drops it, so return what is not to be timed.
///
/// ```
/// use nanobench::{Rng, nanobench};
/// use std::collections::BTreeSet;
///
/// /// Sorting changes its input, so each call needs a new one.
/// #[nanobench(setup = || vec![5, 1, 4, 2, 3])]
/// fn sort(numbers: &mut Vec<u64>) {
///     numbers.sort_unstable();
/// }
///
/// fn words() -> Vec<String> {
///     "to be or not to be".split(' ').map(str::to_owned).collect()
/// }
///
/// #[nanobench(setup = words)]
/// fn distinct(words: Vec<String>) -> BTreeSet<String> {
///     words.into_iter().collect()
/// }
///
/// /// The block around the closure holds what it keeps from one input to the next. Each sample begins with it anew.
/// #[nanobench(setup = {
///     let mut rng = Rng::with_seed(5);
///     move || rng.next_u64().to_string()
/// })]
/// fn parse(digits: &str) -> Option<u64> {
///     digits.parse().ok()
/// }
/// ```
///
/// The input is what is neither a count nor a `TimeControl`. Where nothing else is there, a number takes the value:
/// `#[nanobench(setup = || 7)] fn f(n: u64)`. For both a count and a number as input, take the latter as `&u64`.
///
/// ## `args`, `types`, `consts`: several rows
///
/// Each argument gives a row, with a figure of its own. Numbers are passed by copy, `&` to the argument, and anything else
/// as a clone of the call's own. With `setup`, the argument goes to that. With `args`, a number is the count only if it is
/// named `count`. `types` and `consts` do the same for generic functions; all at once give all combinations.
///
/// ```
/// use nanobench::nanobench;
/// use std::collections::{BTreeSet, HashSet};
///
/// #[nanobench(args = [100, 1_000], setup = |n| (0..n).rev().collect())]
/// fn sort(mut numbers: Vec<u64>) -> Vec<u64> {
///     numbers.sort();
///     numbers
/// }
///
/// #[nanobench(args = ["short", "a longer text"], bytes = |text| text.len())]
/// fn reversed(text: &str) -> String {
///     text.chars().rev().collect()
/// }
///
/// #[nanobench(types = [BTreeSet<u64>, HashSet<u64>], args = 1..=4)]
/// fn collect<T: FromIterator<u64>>(n: u64) -> T {
///     (0..n).collect()
/// }
///
/// #[nanobench(consts = [16, 64], setup = || [1; N], batch = N, unit = "byte")]
/// fn sum<const N: usize>(bytes: &[u8; N]) -> u32 {
///     bytes.iter().map(|byte| u32::from(*byte)).sum()
/// }
/// ```
///
/// ## `every`, `teardown`, `fixture`: what lives longer than a call
///
/// ```
/// use nanobench::nanobench;
/// use std::collections::HashMap;
///
/// #[nanobench(setup = HashMap::new, every = "sample", teardown = |map| assert!(map.len() <= 1))]
/// fn insert(map: &mut HashMap<u64, u64>) {
///     map.insert(5, 7);
/// }
///
/// fn words() -> Vec<String> {
///     vec!["one".to_owned(), "two".to_owned()]
/// }
///
/// /// The words are made once, for all benchmarks that name the same function.
/// #[nanobench(fixture = words, args = ["one", "three"])]
/// fn contains(word: &str, words: &[String]) -> bool {
///     words.iter().any(|other| other == word)
/// }
/// ```
///
/// ## Groups, baselines, and how a benchmark is run
///
/// ```
/// use nanobench::nanobench;
///
/// /// The options of the module are those of all benchmarks in it.
/// #[nanobench(group = "sorting", tags = ["slow"], sample_time = "2ms", baseline = stable)]
/// mod sorting {
///     use nanobench::nanobench;
///
///     #[nanobench(args = [10, 100, 1_000], complexity, setup = |n| (0..n).rev().collect())]
///     fn stable(numbers: &mut Vec<u64>) {
///         numbers.sort();
///     }
///
///     #[nanobench(args = [10, 100], setup = |n| (0..n).rev().collect(), cache = "both")]
///     fn unstable(numbers: &mut Vec<u64>) {
///         numbers.sort_unstable();
///     }
/// }
///
/// #[nanobench(threads = [1, 2, 4], context(allocator = "system"))]
/// fn allocate() -> Vec<u64> {
///     Vec::with_capacity(100)
/// }
///
/// #[nanobench]
/// async fn ready() -> u64 {
///     std::future::ready(5).await
/// }
/// ```
///
/// # Options
///
/// Those with a dot may stand on a module, too.
///
/// | option | | what it does |
/// |---|---|---|
/// | `count = 1_000` | | what is passed as `count`: a number or a constant expression of the parameter's type, at least 1 |
/// | `args = [100, 1_000]` | | a row for each argument |
/// | `types = [u32, u64]`, `consts = [16, 64]` | | a row for each value of the generic parameter |
/// | `setup = \|\| vec![1, 2]` | | makes an input for each call, outside the timing |
/// | `every = "sample"` | | how long a value of `setup` serves: a `"call"`, a `"sample"`, the `"benchmark"` |
/// | `reset = \|\| CACHE.clear()` | | a closure that captures nothing, or a function, called before each sample, outside the timing |
/// | `teardown = \|\| CACHE.clear()` | | the same after each sample, or with the value that `every` is about |
/// | `fixture = words` | | makes a value once per process |
/// | `runtime = Runtime::new()` | | drives an `async fn`: a value with a method `block_on`, or a closure that takes the future |
/// | `unroll = 10` | | writes the call out so often (1 to 1000) in the loop that is timed; the figure is still for one |
/// | `unit = "byte"` | . | what an operation is one of |
/// | `batch = 1_024` | . | how many units an operation does |
/// | `scale = 10` | | how often the body stands in the function |
/// | `bytes`, `chars`, `items` | | how much a call works on: a number, or a closure over a reference to the input |
/// | `baseline = other` | . | the benchmark to compare with in each run |
/// | `group = "sorting"` | . | the group that it belongs to |
/// | `tags = ["slow"]` | . | for selecting |
/// | `complexity` | | fits the times of the rows to a curve; `complexity = \|n\| n.sqrt()` to another, too |
/// | `cache = "cold"` | . | the caches before each iteration: `"warm"`, `"cold"`, `"both"` |
/// | `threads = [1, 2]` | . | a row for each number of threads: a number, or anything that gives some |
/// | `context(key = "value")` | . | is kept with the results |
/// | `samples = 30` | . | takes exactly so many samples |
/// | `sample_time = "1ms"` | . | how long a sample is: a number and `ns`, `us`, `ms` or `s` |
/// | `iterations = 1_000` | . | how many iterations a sample has, whatever time they take |
/// | `warmup = 3` | . | calls before the first one that is looked at; 1 if nothing is said |
/// | `prime = false` | . | no such call: the first one counts |
/// | `threshold = 2.0` | . | smaller changes, in percent, are not called faster or slower; 0: whatever is told from noise is |
/// | `name = "short keys"` | | stands for the function's name in ids, filters and reports |
/// | `crate = path::to::nanobench` | . | where nanobench is, if it is not `::nanobench`: a re-export, or renamed in Cargo.toml |
///
/// `samples`, `iterations` and `warmup` are numbers or constant expressions of type `u64`, `threshold` one of type `f64`. The
/// flags of the same names of `cargo nanobench` come before them.
///
/// ```
/// use nanobench::nanobench;
/// use std::hint::black_box;
/// use std::sync::Mutex;
///
/// static LOG: Mutex<Vec<u64>> = Mutex::new(Vec::new());
///
/// /// Without `reset`, the log would grow from sample to sample.
/// #[nanobench(reset = || LOG.lock().unwrap().clear(), iterations = 10_000)]
/// fn log() {
///     LOG.lock().unwrap().push(5);
/// }
///
/// /// Ten additions an iteration, so that the loop around them weighs a tenth.
/// #[nanobench(unroll = 10)]
/// fn add() -> u64 {
///     black_box(5u64) + black_box(7)
/// }
///
/// /// A few long samples, as its length varies from call to call.
/// #[nanobench(samples = 5, sample_time = "20ms")]
/// fn thread() {
///     std::thread::spawn(|| ()).join().unwrap();
/// }
/// ```
///
/// ```
/// mod support {
///     pub use nanobench;
/// }
/// const ROWS: usize = 20 * 50;
///
/// #[support::nanobench::nanobench(count = ROWS, name = "sum / rows", crate = support::nanobench)]
/// fn sum_of_rows(count: usize) -> usize {
///     (0..count).sum()
/// }
/// ```
///
/// # With other attributes
///
/// `#[ignore]` leaves the benchmark out unless ignored ones are asked for; `#[ignore = "why"]` says why. It may be
/// conditional, as in `#[cfg_attr(miri, ignore)]`. A `#[cfg(..)]` holds for the function and its benchmark. All
/// other attributes stay on the function.
///
/// ```
/// use nanobench::nanobench;
///
/// #[nanobench]
/// #[ignore = "takes a minute"]
/// #[cfg(unix)]
/// fn whole_dictionary() {
///     // ...
/// }
/// ```
///
/// # What can't be a benchmark
///
/// Methods and functions in an `impl` or a `trait`; functions that are `unsafe` or `extern`.
/// A function whose result borrows from the input of a call can't be one either: results are kept until the clock has stopped.
/// Write a function beside them that makes what they need and calls them:
///
/// ```
/// use nanobench::nanobench;
///
/// #[nanobench]
/// fn parse_u64() -> u64 {
///     std::hint::black_box("12345").parse::<u64>().unwrap()
/// }
/// ```
#[proc_macro_attribute]
pub fn nanobench(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(options.into(), item.into()).into()
}
