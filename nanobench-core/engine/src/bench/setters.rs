//! The methods that change the settings of a `Bench`.

use super::number::Number;
use super::output::{BenchStyle, Output};
use super::settings::Settings;
use super::{Bench, Measure};
use std::io::Write;
use std::time::Duration;

/// # Settings
impl Bench {
    /// Creates a benchmark with the default settings, or those in `NANOBENCH_CONFIG`. The first call
    /// in a process reads that variable, and prints a line to stderr for each mistake in it.
    #[inline]
    pub fn new() -> Bench {
        Bench {
            settings: Settings::from_environment(),
            results: Vec::new(),
            baseline: None,
            output: Output::default(),
        }
    }

    /// Sets the title of the table, which is `benchmark` by default. A new title starts a new
    /// table.
    #[inline]
    pub fn title(&mut self, title: impl Into<String>) -> &mut Bench {
        self.settings.title = title.into();
        self
    }

    /// Sets the name of the next [`run_named`](Bench::run_named).
    #[inline]
    pub fn name(&mut self, name: impl Into<String>) -> &mut Bench {
        self.settings.name = name.into();
        self
    }

    /// Sets a value that templates can show as `{{context(key)}}`. It replaces an earlier value of
    /// the key.
    #[inline]
    pub fn context(&mut self, key: impl Into<String>, value: impl Into<String>) -> &mut Bench {
        let (key, value) = (key.into(), value.into());
        match self.settings.context.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = value,
            None => self.settings.context.push((key, value)),
        }
        self
    }

    /// Removes all values set by [`context`](Bench::context).
    #[inline]
    pub fn clear_context(&mut self) -> &mut Bench {
        self.settings.context.clear();
        self
    }

    /// Sets the number of operations in an iteration, such as the number of bytes that a call
    /// processes: a number of any type. One that isn't above 0 counts as 1.
    #[inline]
    pub fn batch(&mut self, batch: impl Number) -> &mut Bench {
        let batch = batch.to_f64();
        self.settings.batch = if batch > 0.0 && batch.is_finite() { batch } else { 1.0 };
        self
    }

    /// Sets the unit of an operation in the singular: `byte`. The default is `op`. Another unit
    /// removes all results so far, because they can't be compared with later ones.
    #[inline]
    pub fn unit(&mut self, unit: impl Into<String>) -> &mut Bench {
        let unit = unit.into();
        if unit != self.settings.unit {
            self.results.clear();
            self.baseline = None;
        }
        self.settings.unit = unit;
        self
    }

    /// Sets the unit of times in the table, such as `time_unit(Duration::from_millis(1), "ms")`.
    /// The default is ns.
    #[inline]
    pub fn time_unit(&mut self, unit: Duration, name: impl Into<String>) -> &mut Bench {
        let seconds = if unit.is_zero() { 1e-9 } else { unit.as_secs_f64() };
        self.settings.time_unit = (seconds, name.into());
        self
    }

    /// Sets the destination of the table, which is stdout by default. Use
    /// [`io::sink`](std::io::sink) for no table.
    #[inline]
    pub fn output(&mut self, writer: impl Write + 'static) -> &mut Bench {
        self.output.write_to(writer);
        self
    }

    /// Sets the style of the printed results: by default a Markdown table.
    #[inline]
    pub fn style(&mut self, style: BenchStyle) -> &mut Bench {
        self.output.style = style;
        self
    }

    /// Sets the length of an epoch in multiples of the resolution of the clock: by default 1,000.
    #[inline]
    pub fn clock_resolution_multiple(&mut self, multiple: u64) -> &mut Bench {
        self.settings.clock_resolution_multiple = multiple;
        self
    }

    /// Sets the number of epochs: by default 11, and at least 1.
    #[inline]
    pub fn epochs(&mut self, epochs: u64) -> &mut Bench {
        self.settings.epochs = epochs.max(1);
        self
    }

    /// Sets the shortest time of an epoch: by default 1 ms. Epochs may be shorter if making inputs takes
    /// three times as long as the calls.
    #[inline]
    pub fn min_epoch_time(&mut self, time: Duration) -> &mut Bench {
        self.settings.min_epoch_time = time;
        self
    }

    /// Sets the longest time of an epoch, unless one iteration takes longer: by default 100 ms. It
    /// takes precedence over the other limits of time.
    #[inline]
    pub fn max_epoch_time(&mut self, time: Duration) -> &mut Bench {
        self.settings.max_epoch_time = time;
        self
    }

    /// Sets the smallest number of iterations in an epoch: by default 1.
    #[inline]
    pub fn min_epoch_iterations(&mut self, iterations: u64) -> &mut Bench {
        self.settings.min_epoch_iterations = iterations.max(1);
        self
    }

    /// Sets the exact number of iterations in an epoch. It replaces the other limits. With 0, the
    /// default, they decide. The closure is only called in the epochs and to warm up, so counters
    /// count in the epochs. [`run_counted`](Bench::run_counted) without a [`count`](Bench::count)
    /// also calls it to find one.
    #[inline]
    pub fn epoch_iterations(&mut self, iterations: u64) -> &mut Bench {
        self.settings.epoch_iterations = iterations;
        self
    }

    /// Sets the number of iterations before the first one that is timed: by default 0. Others find out
    /// how many make an epoch, unless [`epoch_iterations`](Bench::epoch_iterations) sets that.
    #[inline]
    pub fn warmup(&mut self, iterations: u64) -> &mut Bench {
        self.settings.warmup = iterations;
        self
    }

    /// Makes the next run the baseline. It and later runs show `100 % x baseline / time`: over
    /// 100 % is faster. `false` ends the comparison.
    #[inline]
    pub fn relative(&mut self, relative: bool) -> &mut Bench {
        self.settings.relative = relative;
        self.baseline = None;
        self
    }

    /// Shows the counters of the operating system and of the processor that can be read here: by
    /// default true. Those of the processor need Linux, on x86-64 or aarch64. A line above the first
    /// table names those that can't be read.
    #[inline]
    pub fn performance_counters(&mut self, show: bool) -> &mut Bench {
        self.settings.counters.fill(show);
        self
    }

    /// Shows these counters only, if they can be read here. The fewer they are, the more exactly
    /// the processor counts: it takes turns with more than it has room for.
    ///
    /// # Panics
    ///
    /// Panics for [`Measure::Elapsed`] and [`Measure::Iterations`], which are always measured.
    #[inline]
    pub fn counters(&mut self, counters: impl IntoIterator<Item = Measure>) -> &mut Bench {
        self.settings.counters.fill(false);
        for measure in counters {
            let index = measure.counter().expect("time and iterations are not counters");
            self.settings.counters[index] = true;
        }
        self
    }

    /// Sets the size of the input of the next runs, for
    /// [`complexity_big_o`](Bench::complexity_big_o): a number of any type.
    #[inline]
    pub fn complexity_n(&mut self, n: impl Number) -> &mut Bench {
        self.settings.complexity_n = Some(n.to_f64());
        self
    }

    /// Sets the count that [`run_counted`](Bench::run_counted) passes on. With 0, the default, a
    /// good one is found for each closure.
    #[inline]
    pub fn count(&mut self, count: u64) -> &mut Bench {
        self.settings.count = count;
        self
    }
}
