//! A stopwatch for timing by hand.

use crate::stats;
use crate::time::{Clock, Ticks};
use std::error::Error;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

/// A stopwatch with the clock that benchmarks are timed with. The cost of reading the clock is
/// subtracted.
///
/// It times one part of a program, once. That says little about code that takes less than a few
/// microseconds: write a benchmark for that.
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
    clock: &'static CalibratedClock,
    start: Ticks,
    /// `None` while it runs.
    end: Option<Ticks>,
}

/// A clock with its overhead.
#[derive(Debug)]
struct CalibratedClock {
    clock: Clock,
    /// Time between two readings in a row, in ns.
    overhead: f64,
}

/// The units of [`Stopwatch::elapsed`], in ns.
const UNITS: [(&str, f64); 4] = [("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0)];

impl Stopwatch {
    /// Starts a stopwatch. The first one of a process calibrates the clock before it starts, which
    /// takes a few milliseconds.
    #[inline]
    pub fn start() -> Stopwatch {
        static CLOCK: OnceLock<CalibratedClock> = OnceLock::new();
        Stopwatch::with_clock(CLOCK.get_or_init(|| CalibratedClock::new(Clock::best())))
    }

    #[inline]
    fn with_clock(clock: &'static CalibratedClock) -> Stopwatch {
        Stopwatch { clock, start: clock.clock.start(), end: None }
    }

    /// Starts again from zero.
    #[inline]
    pub fn restart(&mut self) {
        *self = Stopwatch::with_clock(self.clock);
    }

    /// Stops it, so that its time can be read in several units. Does nothing if it is stopped
    /// already. [`restart`](Stopwatch::restart) starts it again.
    #[inline]
    pub fn stop(&mut self) {
        // Reads the clock first, because everything else takes time.
        let end = self.clock.clock.end();
        self.end.get_or_insert(end);
    }

    /// Returns the time since the start, in `s`, `ms`, `us` or `ns`, in any case and with any white
    /// space around. A stopwatch that isn't stopped keeps running.
    ///
    /// # Errors
    /// Fails for any other unit.
    #[inline]
    pub fn elapsed(&self, unit: &str) -> Result<f64, UnknownUnit> {
        // Reads the clock first, because everything that follows takes time.
        let elapsed = self.elapsed_ns();
        let is_name = |name: &str| name.eq_ignore_ascii_case(unit.trim());
        match UNITS.iter().find(|(name, _)| is_name(name)) {
            Some((_, nanoseconds)) => Ok(elapsed / nanoseconds),
            None => Err(UnknownUnit { unit: unit.to_owned() }),
        }
    }

    /// Returns the time from the start to now, or to the stop, in ns.
    #[inline]
    pub fn elapsed_ns(&self) -> f64 {
        let elapsed = self.elapsed_ticks();
        let CalibratedClock { clock, overhead } = self.clock;
        (clock.nanoseconds(elapsed) - overhead).max(0.0)
    }

    #[inline]
    fn elapsed_ticks(&self) -> Ticks {
        self.end.unwrap_or_else(|| self.clock.clock.end()).since(self.start)
    }

    /// Returns the ticks of the clock from the start to now, or to the stop. They include the cost
    /// of reading the clock.
    #[inline]
    pub fn ticks(&self) -> u64 {
        self.elapsed_ticks().0
    }

    /// Returns the number of ticks per second.
    #[inline]
    pub fn frequency(&self) -> f64 {
        1e9 / self.clock.clock.nanoseconds(Ticks(1))
    }

    /// Returns the time from the start to now, or to the stop.
    #[inline]
    pub fn elapsed_duration(&self) -> Duration {
        Duration::from_nanos(self.elapsed_ns().round() as u64)
    }
}

impl CalibratedClock {
    #[inline]
    fn new(clock: Clock) -> CalibratedClock {
        let empty = |_| {
            let start = clock.start();
            clock.nanoseconds(clock.end().since(start))
        };
        let overhead = stats::median(&(0..201).map(empty).collect::<Vec<f64>>());
        CalibratedClock { clock, overhead }
    }
}

/// The error of [`Stopwatch::elapsed`] for an unknown unit of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownUnit {
    unit: String,
}

impl UnknownUnit {
    /// Returns `us` for `µs`, and else the only unit of two letters that is one letter off.
    #[inline]
    fn nearest(&self) -> Option<&'static str> {
        let unit = self.unit.trim().to_lowercase().replace(['\u{b5}', '\u{3bc}'], "u");
        let is_near = |name: &&str| {
            let [unit, name] = [unit.as_str(), *name].map(|text| text.chars().collect::<Vec<char>>());
            let start = unit.iter().zip(&name).take_while(|(a, b)| a == b).count();
            let end = unit.iter().rev().zip(name.iter().rev()).take_while(|(a, b)| a == b).count();
            unit.len().abs_diff(2) <= 1 && start + end + 1 >= unit.len().max(2)
        };
        let names = || ["ms", "us", "ns"].into_iter();
        let mut near = names().filter(is_near);
        names().find(|name| unit == *name).or_else(|| near.next().filter(|_| near.next().is_none()))
    }
}

impl fmt::Display for UnknownUnit {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = UNITS.map(|(name, _)| format!("`{name}`")).join(", ");
        let probably = self.nearest().map_or(String::new(), |name| format!("; did you mean `{name}`?"));
        write!(f, "unknown unit `{}`: use one of {units}{probably}", self.unit.escape_debug())
    }
}

impl Error for UnknownUnit {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::scripted::{advance, set_read_cost};

    fn started() -> Stopwatch {
        set_read_cost(20);
        Stopwatch::with_clock(Box::leak(Box::new(CalibratedClock::new(Clock::Scripted))))
    }

    #[test]
    fn elapsed_time_excludes_the_clock_and_has_any_unit() {
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
    fn a_stopped_stopwatch_keeps_its_time() {
        let mut stopwatch = started();
        set_read_cost(0);
        advance(1_520);
        stopwatch.stop();
        advance(99);
        stopwatch.stop();
        assert_eq!((stopwatch.elapsed_ns(), stopwatch.ticks()), (1_500.0, 1_520));
        assert_eq!((stopwatch.elapsed(" US ").unwrap(), stopwatch.frequency()), (1.5, 1e9));
        stopwatch.restart();
        advance(30);
        assert_eq!(stopwatch.ticks(), 30);
    }

    #[test]
    fn a_restarted_stopwatch_is_never_below_zero() {
        let mut stopwatch = started();
        advance(100);
        stopwatch.restart();
        set_read_cost(0);
        assert_eq!(stopwatch.elapsed_ns(), 0.0);
    }

    #[test]
    fn errors_list_the_units_and_guess_what_is_one_letter_off() {
        let error = |unit| started().elapsed(unit).unwrap_err().to_string();
        for unit in ["min", "h", "days", "", "sec", "ps", "millis", "msms"] {
            assert_eq!(error(unit), format!("unknown unit `{unit}`: use one of `s`, `ms`, `us`, `ns`"));
        }
        for (unit, nearest) in [("µs", "us"), ("\u{3bc}S", "us"), ("mss", "ms"), ("nz", "ns"), ("uas", "us")]
        {
            assert!(error(unit).ends_with(&format!("`ns`; did you mean `{nearest}`?")), "{unit}");
        }
    }

    #[test]
    fn the_real_clock_runs() {
        let stopwatch = Stopwatch::start();
        while stopwatch.elapsed_ns() == 0.0 {}
        assert!(stopwatch.elapsed("s").unwrap() > 0.0);
    }
}
