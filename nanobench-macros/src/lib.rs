//! The attribute `#[nanobench]`. Use it through [nanobench-core], which re-exports it as
//! `nanobench::nanobench` and contains the items that its expansion uses.
//!
//! [nanobench-core]: https://docs.rs/nanobench-core

mod arguments;
mod attributes;
mod bencher;
mod benchmark;
mod body;
mod callable;
mod context;
mod count;
mod curve;
mod description;
mod elision;
mod errors;
mod expand;
mod group;
mod hygiene;
mod input_options;
mod inputs;
mod instances;
mod item;
mod key_value;
mod lifetimes;
mod manual;
mod number;
mod option_spec;
mod option_table;
mod options;
mod parameters;
mod rows;
mod runtime;
mod settings;
mod setup;
mod signature;
#[expect(unreachable_pub, reason = "the same file as in nanobench-engine")]
mod spelling;
mod state;
mod suggestions;
mod throughput;
mod tokens;
mod values;

use proc_macro::TokenStream;

/// Marks a function as a benchmark, or sets options for all benchmarks in a module.
///
/// ```
/// use nanobench::nanobench;
///
/// /// Concatenates two short strings.
/// #[nanobench]
/// fn concat() -> String {
///     ["left", "right"].concat()
/// }
/// ```
///
/// `cargo nanobench` finds the function, calls it many times and prints the time of one call. The
/// function can be in a bench target (`benches/*.rs`), or under `#[cfg(test)]` in `src/`, next to
/// the private functions that it measures. It needs no entry in Cargo.toml and no `main`.
/// `cargo test` calls it once, as the test `nanobench_concat`, which fails if the function panics.
///
/// The function itself stays unchanged and callable. Its doc comment becomes the description of the
/// benchmark in reports.
///
/// # Choose a form
///
/// The types of the parameters decide how the function is measured:
///
/// | form | reported time |
/// |---|---|
/// | `fn f()` | of a call |
/// | `fn f(count: u64)`, or `u32`, or `usize` | of an operation: the time of a call divided by `count` |
/// | `fn f(tc: &mut TimeControl)` | of a call, without the parts that `tc` excludes |
/// | `fn f(count: u64, tc: &mut TimeControl)` | of an operation, without the parts that `tc` excludes |
/// | `fn f(count: u64) -> Duration`, with `manual` | of an operation: the returned time divided by `count` |
///
/// Each form can return a value. The optimiser can't skip computing it, and dropping it is not
/// timed. Each form can be an `async fn`. A small built-in `block_on` runs it, or the option
/// `runtime`. The options `setup`, `args` and `fixture` add one parameter each, in this order.
///
/// # Write the loop yourself: `count`
///
/// If the operation is very short, loop over it in the function. The harness chooses `count`,
/// unless the attribute sets it.
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
/// # Exclude code from the time: `TimeControl`
///
/// The clock starts with the call. It stops between `pause` and `resume`, and while `exclude` runs
/// a closure; `reset` discards the time so far. The overhead of these calls is subtracted.
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
/// # Prepare an input for each call: `setup`
///
/// `setup` is a closure, or the path of a function. It makes the input of each call before the
/// clock starts. An input taken by reference is dropped after the clock has stopped. One taken by
/// value is dropped by the function, within the time, unless the function returns it.
///
/// ```
/// use nanobench::{Rng, nanobench};
///
/// /// Sorting changes its input, so each call needs a new one.
/// #[nanobench(setup = || vec![5, 1, 4, 2, 3])]
/// fn sort(numbers: &mut Vec<u64>) {
///     numbers.sort_unstable();
/// }
///
/// /// The block around the closure holds state. Each sample starts with new state.
/// #[nanobench(setup = {
///     let mut rng = Rng::with_seed(5);
///     move || rng.next_u64().to_string()
/// })]
/// fn parse(digits: &str) -> Option<u64> {
///     digits.parse().ok()
/// }
/// ```
///
/// Beside `setup`, `args` or `fixture`, a number is the count only if it is named `count`:
/// `#[nanobench(setup = || 7)] fn f(n: u64, count: u64)`.
///
/// # Compare inputs, types and constants: `args`, `types`, `consts`
///
/// Each argument has its own row in the report. A number is passed as a copy. `&T` borrows the
/// argument, and any other parameter takes a clone made for the call. If `setup` has a parameter,
/// it takes the argument. `types` and `consts` do the same for generic functions; `consts` may name a
/// constant array or slice of up to 20 values. Together, they give all combinations.
///
/// ```
/// use nanobench::nanobench;
/// use std::collections::{BTreeSet, HashSet};
///
/// #[nanobench(args = ["short", "a longer text"], bytes = |text| text.len())]
/// fn reversed(text: &str) -> String {
///     text.chars().rev().collect()
/// }
///
/// #[nanobench(args = [100, 1_000], setup = |n| (0..n).rev().collect())]
/// fn sort(mut numbers: Vec<u64>) -> Vec<u64> {
///     numbers.sort();
///     numbers
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
/// # Keep state between calls: `every`, `teardown`, `fixture`, `reset`
///
/// ```
/// use nanobench::nanobench;
/// use std::collections::HashMap;
/// use std::sync::Mutex;
///
/// /// All calls of a sample share a map. `teardown` takes it after the sample.
/// #[nanobench(setup = HashMap::new, every = "sample", teardown = |map| assert!(map.len() <= 1))]
/// fn insert(map: &mut HashMap<u64, u64>) {
///     map.insert(5, 7);
/// }
///
/// fn words() -> Vec<String> {
///     vec!["one".to_owned(), "two".to_owned()]
/// }
///
/// /// The words are created once per process, for all benchmarks that name the same function.
/// #[nanobench(fixture = words, args = ["one", "three"])]
/// fn contains(word: &str, words: &[String]) -> bool {
///     words.iter().any(|other| other == word)
/// }
///
/// static LOG: Mutex<Vec<u64>> = Mutex::new(Vec::new());
///
/// /// Without `reset`, the log would grow from sample to sample.
/// #[nanobench(reset = || LOG.lock().unwrap().clear(), iterations = 10_000)]
/// fn log() {
///     LOG.lock().unwrap().push(5);
/// }
/// ```
///
/// # Group and compare benchmarks
///
/// On a module, the attribute sets options for all benchmarks in it.
///
/// ```
/// use nanobench::nanobench;
///
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
/// ```
///
/// # Options
///
/// Options marked "yes" can also be set on a module.
///
/// | option | module | effect |
/// |---|---|---|
/// | `count = 1_000` | | the value passed as `count`, at least 1; a number, or a constant expression of the parameter's type |
/// | `manual` | | takes the time that the function returns, a `Duration` of all `count` operations |
/// | `args = [100, 1_000]` | | adds a row for each argument |
/// | `label = \|file\| file.name` | | replaces the text of an argument in ids and reports |
/// | `types = [u32, u64]`, `consts = [16, 64]` | | adds a row for each value of the generic parameter |
/// | `setup = \|\| vec![1, 2]` | | makes an input for each call, outside the timing |
/// | `every = "sample"` | | sets the lifetime of a value of `setup`: a `"call"`, a `"sample"` or the `"benchmark"` |
/// | `reset = \|\| CACHE.clear()` | | runs before each sample, outside the timing; a function, or a closure without captures |
/// | `teardown = \|\| CACHE.clear()` | | runs after each sample; with `every`, takes the value of `setup` at the end of its lifetime |
/// | `fixture = words` | | creates a value once per process, shared by all calls |
/// | `runtime = Runtime::new()` | | runs an `async fn`: a value with a method `block_on`, or a closure that takes the future |
/// | `unroll = 10` | | repeats the call (1 to 1000 times) in the timed loop; the reported time is still for one call |
/// | `unit = "byte"` | yes | names the unit of an operation; on a function, also a closure over the argument |
/// | `batch = 1_024` | yes | sets the number of units in an operation; on a function, also a closure over the argument |
/// | `scale = 10` | | sets how many times the function repeats the measured operation |
/// | `bytes`, `chars`, `items` | | the amount of work of a call, or of one operation of its `count`, for throughput: a number, or a closure over references to the inputs |
/// | `baseline = other` | yes | the benchmark to compare with in each run |
/// | `group = "sorting"` | yes | the group of the benchmark |
/// | `tags = ["slow"]` | yes | tags to select benchmarks by |
/// | `complexity` | yes | fits the times of the rows to complexity curves; `complexity = \|n\| n.sqrt()` adds a curve, and `complexity = ("O(sqrt n)", \|n\| n.sqrt())` one with a name |
/// | `complexity_n = \|text\| text.len()` | | computes the size for these fits from the argument |
/// | `cache = "cold"` | yes | the caches before each iteration: `"warm"`, `"cold"` or `"both"` |
/// | `threads = [1, 2]` | yes | adds a row for each number of threads; one number, or anything that iterates over numbers; 0, and `threads` without a value, for all cores |
/// | `ignore = cfg!(miri)` | yes | ignores the benchmark under a condition, which is evaluated in each process |
/// | `between = other_work` | yes | runs other code before each iteration, outside the timing |
/// | `counters = ["cycles"]` | yes | the counters to read in samples of their own |
/// | `context(key = "value")` | yes | is stored with the results |
/// | `samples = 30` | yes | takes exactly this many samples |
/// | `precision = 1.0` | yes | samples until the median is known to this many percent |
/// | `min_time = "20ms"`, `max_time = "1s"` | yes | limit the time for all samples together |
/// | `timeout = "10s"` | yes | stops the benchmark, which keeps the samples that it has |
/// | `sample_time = "1ms"` | yes | sets the length of a sample |
/// | `iterations = 1_000` | yes | sets the number of iterations in a sample, regardless of their time |
/// | `warmup = 3` | yes | sets the number of calls before the first sample; 1 by default |
/// | `prime = false` | yes | leaves these calls out, so that the first call counts |
/// | `threshold = 2.0` | yes | doesn't report smaller changes, in percent, as faster or slower; with 0, reports every change that can be told from noise |
/// | `name = "short keys"` | | replaces the name of the function in ids, filters and reports |
/// | `was = "concat"` | | the former name, by which a baseline may have it |
/// | `crate = path::to::nanobench` | yes | the path of nanobench, if it is not `::nanobench` |
///
/// `samples`, `iterations` and `warmup` can also be constant expressions of type `u64`, and
/// `precision` and `threshold` of type `f64`. A duration is a text such as `"1m 30s"`, a number of
/// seconds, or a constant of type `Duration`. Flags of `cargo nanobench` with the same names take precedence.
///
/// # Combine it with other attributes
///
/// `#[ignore]` skips the benchmark unless the run includes ignored ones; `#[ignore = "reason"]` is
/// reported. It can be conditional: `#[cfg_attr(miri, ignore)]`. `#[cfg(..)]` applies to the
/// function and its benchmark. All other attributes stay on the function.
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
/// # Limits
///
/// Methods, associated functions, `unsafe fn` and `extern fn` can't be benchmarks. Write a function
/// that calls them:
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
