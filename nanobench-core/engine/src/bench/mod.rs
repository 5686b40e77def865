//! Benchmarks called from code, with the interface of `ankerl::nanobench`.

mod big_o;
mod column;
mod compare;
mod markdown;
mod measuring;
mod number;
mod output;
mod result;
mod setters;
mod settings;
mod softwx;
pub mod stored;
pub mod templates;

pub use big_o::{BigO, ComplexityFits};
pub use column::Column;
pub use compare::{Compare, ComparedTimes};
pub use output::BenchStyle;
pub use result::{BenchResult, Measure};
pub use templates::RenderError;

use crate::measure::{Bencher, ClosureState, Count, TimeControl};
use output::Output;
use settings::Settings;
use std::fmt;
use std::io::{self, Write};

/// Measures closures: in a `main` function of your own, in an experiment, or in a loop over sizes.
///
/// Settings chain, and apply to all later runs. Each run prints a row of a Markdown table and
/// keeps its [result](BenchResult).
///
/// ```no_run
/// use nanobench::Bench;
/// use std::hint::black_box;
///
/// let text = "lorem ipsum ".repeat(100);
/// let mut bench = Bench::new();
/// bench.title("Searching").unit("byte").batch(text.len() as f64).relative(true);
/// bench.run("str::find", || black_box(&text).find("absent"));
/// bench.run("bytes", || black_box(&text).bytes().position(|byte| byte == b'z'));
/// ```
///
/// An *iteration* is one call of the closure, and an *epoch* one timed run of many iterations. The
/// time in the table is the median of the epochs, per operation. The result of the closure is
/// hidden from the optimiser. If it has a destructor, it is dropped outside the timing. State that
/// the closure captures stays in registers if the result is a number that changes from call to call.
///
/// # Environment
///
/// - `NANOBENCH_CONFIG="epochs=51,minEpochTime=5ms"` sets defaults. Settings in the code win.
/// - `NANOBENCH_ENDLESS="name"` runs the benchmark of that name until the process is ended, to
///   attach a profiler.
/// - `NANOBENCH_SUPPRESS_WARNINGS=1` leaves out all warnings.
pub struct Bench {
    settings: Settings,
    results: Vec<BenchResult>,
    /// Index of the result that the others are compared with.
    baseline: Option<usize>,
    output: Output,
}

impl fmt::Debug for Bench {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bench { settings, results, baseline, .. } = self;
        f.debug_struct("Bench")
            .field("settings", settings)
            .field("results", results)
            .field("baseline", baseline)
            .finish_non_exhaustive()
    }
}

impl Default for Bench {
    #[inline]
    fn default() -> Bench {
        Bench::new()
    }
}

/// # Runs
impl Bench {
    /// Measures a closure.
    #[inline]
    pub fn run<T>(&mut self, name: impl Into<String>, operation: impl FnMut() -> T) -> &mut Bench {
        self.name(name).run_named(operation)
    }

    /// Measures a closure, under the name that [`name`](Bench::name) has set.
    #[inline]
    pub fn run_named<T>(&mut self, operation: impl FnMut() -> T) -> &mut Bench {
        let mut calls = self.calls_of(operation);
        self.measure(Count::None, &mut calls)
    }

    /// Measures a closure that loops over its operation `count` times: for operations that take
    /// less than the call of a closure. The result is the time of one operation.
    ///
    /// ```no_run
    /// # use std::hint::black_box;
    /// nanobench::Bench::new().run_counted("multiply", |count| {
    ///     (0..count).fold(3_u64, |product, _| product.wrapping_mul(black_box(7)))
    /// });
    /// ```
    #[inline]
    pub fn run_counted<T>(&mut self, name: impl Into<String>, operation: impl FnMut(u64) -> T) -> &mut Bench {
        let (count, mut operation) = (self.settings.count(), operation);
        self.name(name).measure(count, &mut |bencher| bencher.call(&mut operation))
    }

    /// Measures a closure that excludes parts of its work from the timing.
    #[inline]
    pub fn run_controlled<T>(
        &mut self,
        name: impl Into<String>,
        mut operation: impl FnMut(&mut TimeControl) -> T,
    ) -> &mut Bench {
        self.name(name)
            .measure(Count::None, &mut |bencher| bencher.call_controlled(|_, control| operation(control)))
    }

    /// Measures a closure that loops over its operation `count` times, and excludes parts of its
    /// work from the timing.
    #[inline]
    pub fn run_counted_controlled<T>(
        &mut self,
        name: impl Into<String>,
        operation: impl FnMut(u64, &mut TimeControl) -> T,
    ) -> &mut Bench {
        let (count, mut operation) = (self.settings.count(), operation);
        self.name(name).measure(count, &mut |bencher| bencher.call_controlled(&mut operation))
    }

    /// Makes an input for each call of the next run, outside the timing.
    ///
    /// ```no_run
    /// let mut bench = nanobench::Bench::new();
    /// bench.setup(|| vec![3, 1, 2]).run("sort", |mut items| {
    ///     items.sort();
    ///     items
    /// });
    /// ```
    #[inline]
    pub fn setup<I, S: FnMut() -> I>(&mut self, setup: S) -> WithSetup<'_, S> {
        WithSetup { bench: self, setup }
    }

    /// Compares closures with the first of them, in interleaved epochs.
    ///
    /// ```no_run
    /// # use std::hint::black_box;
    /// nanobench::Bench::new()
    ///     .compare()
    ///     .with("format!", || format!("{}-{}", black_box(1), black_box(2)))
    ///     .with("concat", || [black_box("1"), black_box("2")].join("-"))
    ///     .run();
    /// ```
    #[inline]
    pub fn compare<'a>(&mut self) -> Compare<'_, 'a> {
        Compare::new(self)
    }

    /// Keeps a value from the optimiser, as [`std::hint::black_box`] does.
    #[inline]
    pub fn do_not_optimize_away<T>(&mut self, value: T) -> &mut Bench {
        std::hint::black_box(value);
        self
    }

    /// Returns the benchmark that calls a closure. Exact epochs have one kind of loop.
    #[inline]
    fn calls_of<T, F: FnMut() -> T>(&self, mut operation: F) -> impl FnMut(&mut Bencher) + use<T, F> {
        let mut state = ClosureState::new(self.settings.exact_iterations().is_none());
        move |bencher| bencher.call_closure(&mut operation, &mut state)
    }

    #[inline]
    fn measure(&mut self, count: Count, benchmark: &mut dyn FnMut(&mut Bencher)) -> &mut Bench {
        measuring::with_engine(|engine| {
            let result = measuring::measure(engine, &self.settings, count, benchmark);
            self.add(result);
        });
        self
    }

    #[inline]
    fn add(&mut self, mut result: BenchResult) {
        if self.settings.relative {
            let baseline = *self.baseline.get_or_insert(self.results.len());
            let baseline = self.results.get(baseline).unwrap_or(&result);
            result.relative = Some(baseline.time_per_operation() / result.time_per_operation());
        }
        self.output.result(&result);
        self.results.push(result);
    }
}

/// # Results
impl Bench {
    /// Returns the results of all runs so far.
    #[inline]
    pub fn results(&self) -> &[BenchResult] {
        &self.results
    }

    /// Fits the usual complexities to the results of all runs with a
    /// [`complexity_n`](Bench::complexity_n). Displayed as a Markdown table, the best fit first.
    /// Empty with fewer than three different sizes.
    ///
    /// As in C++, the fitted time is that of a call, which the [`batch`](Bench::batch) doesn't
    /// divide. If the closure gets a count, it is that of an operation of the count.
    #[inline]
    pub fn complexity_big_o(&self) -> ComplexityFits {
        ComplexityFits::new(&self.results, None)
    }

    /// Fits a complexity of your own, such as `("O(log log n)", |n| n.log2().log2())`. `None` with
    /// fewer than three different sizes, or if the function isn't a positive number for each.
    #[inline]
    pub fn complexity_big_o_of(&self, name: &str, complexity: impl Fn(f64) -> f64) -> Option<BigO> {
        let fits = ComplexityFits::new(&self.results, Some((name, &complexity)));
        fits.iter().find(|fit| fit.name == name).cloned()
    }

    /// Renders the results by a [template](templates).
    ///
    /// # Errors
    /// Fails if the template is wrong, or if `out` can't be written.
    #[inline]
    pub fn render(&self, template: &str, out: &mut dyn Write) -> Result<(), RenderError> {
        templates::render(template, &self.results, out)
    }
}

/// A [`Bench`] with an input for each call of the next run: see [`Bench::setup`].
#[derive(Debug)]
pub struct WithSetup<'a, S> {
    bench: &'a mut Bench,
    setup: S,
}

impl<'a, I, S: FnMut() -> I> WithSetup<'a, S> {
    /// Measures a closure that takes the input. The result is dropped outside the timing.
    #[inline]
    pub fn run<T>(self, name: impl Into<String>, mut operation: impl FnMut(I) -> T) -> &'a mut Bench {
        let WithSetup { bench, mut setup } = self;
        bench.name(name).measure(Count::None, &mut |bencher| {
            bencher.call_with(&mut setup, |input, _| operation(input));
        })
    }
}

/// Keeps a value from the optimiser, as [`std::hint::black_box`] does: the name that users of
/// `ankerl::nanobench` know.
#[inline]
pub fn do_not_optimize_away<T>(value: T) -> T {
    std::hint::black_box(value)
}

impl From<io::Error> for RenderError {
    #[inline]
    fn from(error: io::Error) -> RenderError {
        RenderError::Output(error)
    }
}

#[cfg(test)]
mod tests;
