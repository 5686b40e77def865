//! A stopwatch for use by hand.

use crate::stats;
use crate::time::{Clock, Ticks};
use std::error::Error;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

/// Measures the time since it was started, with the clock that benchmarks are timed with, and without what reading it costs.
///
/// For a look at one stretch of a program. One reading says little of code that takes less than some us: that is what
/// [`nanobench`](macro@crate::nanobench) is for.
///
/// ```
/// use nanobench::Stopwatch;
///
/// let stopwatch = Stopwatch::start();
/// let sum: u64 = (0..1_000_000_u64).map(std::hint::black_box).sum();
/// println!("{sum} after {:.1} ms", stopwatch.elapsed("ms")?);
/// # Ok::<(), nanobench::UnknownUnit>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    clock: &'static Calibrated,
    start: Ticks,
}

/// A clock, and what reading it twice in a row leaves between the readings.
#[derive(Debug)]
struct Calibrated {
    clock: Clock,
    /// In ns.
    overhead: f64,
}

/// The units that [`Stopwatch::elapsed`] knows, and how many ns each is.
const UNITS: [(&str, f64); 4] = [("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0)];

impl Stopwatch {
    /// Starts one. The first of a process takes some ms before it starts, in which the clock is calibrated.
    #[inline]
    pub fn start() -> Stopwatch {
        static CLOCK: OnceLock<Calibrated> = OnceLock::new();
        Stopwatch::with(CLOCK.get_or_init(|| Calibrated::new(Clock::best())))
    }

    #[inline]
    fn with(clock: &'static Calibrated) -> Stopwatch {
        Stopwatch { clock, start: clock.clock.start() }
    }

    /// Starts it anew.
    #[inline]
    pub fn restart(&mut self) {
        *self = Stopwatch::with(self.clock);
    }

    /// The time since the start, in `s`, `ms`, `us` or `ns`. It runs on.
    ///
    /// # Errors
    /// For any other unit.
    #[inline]
    pub fn elapsed(&self, unit: &str) -> Result<f64, UnknownUnit> {
        // First of all, as all that follows takes time.
        let elapsed = self.elapsed_ns();
        match UNITS.iter().find(|(name, _)| *name == unit) {
            Some((_, nanoseconds)) => Ok(elapsed / nanoseconds),
            None => Err(UnknownUnit { unit: unit.to_owned() }),
        }
    }

    /// The time since the start, in ns. It runs on.
    #[inline]
    pub fn elapsed_ns(&self) -> f64 {
        let Calibrated { clock, overhead } = self.clock;
        let elapsed = clock.end().since(self.start);
        (clock.nanoseconds(elapsed) - overhead).max(0.0)
    }

    /// The time since the start. It runs on.
    #[inline]
    pub fn elapsed_duration(&self) -> Duration {
        Duration::from_nanos(self.elapsed_ns().round() as u64)
    }
}

impl Calibrated {
    fn new(clock: Clock) -> Calibrated {
        let empty = |_| {
            let start = clock.start();
            clock.nanoseconds(clock.end().since(start))
        };
        let overhead = stats::median(&(0..201).map(empty).collect::<Vec<f64>>());
        Calibrated { clock, overhead }
    }
}

/// There is no such unit of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownUnit {
    unit: String,
}

impl UnknownUnit {
    /// What was likely meant.
    fn nearest(&self) -> &'static str {
        let unit = self.unit.trim().to_lowercase();
        let starts = |beginnings: &[&str]| beginnings.iter().any(|beginning| unit.starts_with(beginning));
        if starts(&["n"]) {
            "ns"
        } else if starts(&["u", "mic", "mu", "\u{b5}", "\u{3bc}"]) {
            "us"
        } else if starts(&["ms", "mil"]) {
            "ms"
        } else {
            "s"
        }
    }
}

impl fmt::Display for UnknownUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = UNITS.map(|(name, _)| format!("`{name}`")).join(", ");
        write!(
            f,
            "there is no unit `{}`: elapsed time is given in {units}; the nearest is `{}`",
            self.unit.escape_debug(),
            self.nearest()
        )
    }
}

impl Error for UnknownUnit {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::scripted::{advance, set_read_cost};

    fn started() -> Stopwatch {
        set_read_cost(20);
        Stopwatch::with(Box::leak(Box::new(Calibrated::new(Clock::Scripted))))
    }

    #[test]
    fn elapsed_time_is_without_the_clock_and_in_any_unit() {
        let stopwatch = started();
        set_read_cost(20);
        advance(1_500_000);
        assert_eq!(stopwatch.elapsed_ns(), 1_500_000.0);
        set_read_cost(0);
        let elapsed = ["s", "ms", "us", "ns"].map(|unit| stopwatch.elapsed(unit).unwrap());
        assert_eq!(elapsed, [0.001_5, 1.5, 1_500.0, 1_500_000.0]);
        assert_eq!(stopwatch.elapsed_duration(), Duration::from_micros(1_500));
    }

    #[test]
    fn it_can_be_started_anew_and_is_never_below_zero() {
        let mut stopwatch = started();
        advance(100);
        stopwatch.restart();
        set_read_cost(0);
        assert_eq!(stopwatch.elapsed_ns(), 0.0);
    }

    #[test]
    fn any_other_unit_is_an_error_that_says_which_there_are() {
        let error = |unit| started().elapsed(unit).unwrap_err().to_string();
        assert_eq!(
            error("min"),
            "there is no unit `min`: elapsed time is given in `s`, `ms`, `us`, `ns`; the nearest is `s`"
        );
        for (unit, nearest) in [
            ("µs", "us"),
            ("usec", "us"),
            ("microseconds", "us"),
            ("MS", "ms"),
            ("millis", "ms"),
            ("nanos", "ns"),
            ("sec", "s"),
            ("", "s"),
        ] {
            assert!(error(unit).ends_with(&format!("is `{nearest}`")), "{unit}");
        }
    }

    #[test]
    fn the_real_one_runs() {
        let stopwatch = Stopwatch::start();
        while stopwatch.elapsed_ns() == 0.0 {}
        assert!(stopwatch.elapsed("s").unwrap() > 0.0);
    }
}
