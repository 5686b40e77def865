//! The attribute `#[nanobench]`. Use it through the crate [nanobench-core], which re-exports it as
//! `nanobench::nanobench` and has what its expansion needs.
//!
//! [nanobench-core]: https://docs.rs/nanobench-core

mod attributes;
mod count;
mod description;
mod errors;
mod expand;
mod item;
mod nearest;
mod options;
mod parameters;
mod signature;

use proc_macro::TokenStream;

/// Marks a function as a benchmark.
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
/// # Options
///
/// | option | what it does |
/// |---|---|
/// | `count = 1_000` | what is passed as `count`: a number or a constant expression of the parameter's type, at least 1 |
/// | `name = "short keys"` | stands for the function's name in ids, filters and reports |
/// | `crate = path::to::nanobench` | where nanobench is, if it is not `::nanobench`: a re-export, or renamed in Cargo.toml |
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
/// Methods and functions in an `impl` or a `trait`; functions that are `async`, `unsafe`, `extern` or generic;
/// functions with other parameters. Write a function beside them that makes what they need and calls them:
///
/// ```
/// # mod runtime { pub fn block_on<F>(_: F) {} }
/// # async fn fetch(_: &str) {}
/// use nanobench::nanobench;
///
/// #[nanobench]
/// fn parse_u64() -> u64 {
///     std::hint::black_box("12345").parse::<u64>().unwrap()
/// }
///
/// #[nanobench]
/// fn fetch_local() {
///     runtime::block_on(fetch("localhost"));
/// }
/// ```
#[proc_macro_attribute]
pub fn nanobench(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(options.into(), item.into()).into()
}
