//! Under which conditions benchmarks run, and what is counted beside the time.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

/// What can be counted, as `--counters` and the harness name it.
pub(crate) const COUNTERS: [&str; 7] = [
    "page-faults",
    "context-switches",
    "cycles",
    "instructions",
    "branches",
    "branch-misses",
    "cache-misses",
];

/// Flags that say how and where the calls happen. They go for all benchmarks, whatever those ask for themselves.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct Conditions {
    /// With warm caches, with caches that are emptied before each call (outside the timing), or both, a row each.
    #[arg(long, value_enum, value_name = "STATE")]
    pub(crate) cache: Option<Cache>,
    /// Write so many bytes to empty the caches, a row for each size: 32K,1M,8M; or `sweep`, for all powers of two.
    ///
    /// After a sweep, a line says at which sizes the time rises: there a cache ends.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = parse_wipe_size)]
    pub(crate) wipe_size: Vec<WipeSize>,
    /// On so many threads at once, a row for each number, where a benchmark can run on several: 1,2,4.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = parse_threads)]
    pub(crate) threads: Vec<u64>,
    /// Count these, too, in calls that are not timed, a column each: --counters cycles,instructions. All without a list.
    ///
    /// What stands behind it is its list: `--` parts it from a FILTER.
    #[arg(
        long,
        value_name = "LIST",
        num_args = 0..=1,
        value_delimiter = ',',
        default_missing_values = COUNTERS,
        value_parser = PossibleValuesParser::new(COUNTERS)
    )]
    pub(crate) counters: Vec<String>,
}

impl Conditions {
    /// Whether nanobench-core has to be built with its feature `counters`: for those of the processor.
    pub(crate) fn needs_feature(&self) -> bool {
        let is_of_system = |counter: &String| matches!(counter.as_str(), "page-faults" | "context-switches");
        cfg!(target_os = "linux") && !self.counters.iter().all(is_of_system)
    }
}

/// What is in the caches when a call begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cache {
    /// What the call before has left there.
    Warm,
    /// Nothing of it.
    Cold,
    /// A row each.
    Both,
}

impl Cache {
    /// As the harness knows it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Cache::Warm => "warm",
            Cache::Cold => "cold",
            Cache::Both => "both",
        }
    }
}

/// How much is written to empty the caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WipeSize {
    /// Powers of two until beyond the last cache.
    Sweep,
    /// So many bytes.
    Bytes(u64),
}

/// Reads a number of threads. More than the largest machines have cores are a mistake.
fn parse_threads(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| "a number of threads is a whole one from 1 to 1024".to_owned())
}

/// Most that can be asked for: 16 GiB.
const LARGEST: u64 = 1 << 34;

/// Reads `sweep`, `65536`, `32K`, `8MiB`; multiples are by 1,024, as caches are made.
fn parse_wipe_size(text: &str) -> Result<WipeSize, String> {
    if text == "sweep" {
        return Ok(WipeSize::Sweep);
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim().trim_end_matches(['B', 'b']).trim_end_matches('i') {
        "" => 1,
        "K" | "k" => 1 << 10,
        "M" | "m" => 1 << 20,
        "G" | "g" => 1 << 30,
        _ => return Err("a size is a number, and K, M or G where it is many: 32K, 8M; or `sweep`".to_owned()),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    match bytes {
        Some(bytes @ 1..=LARGEST) => Ok(WipeSize::Bytes(bytes)),
        Some(0) => Err("nothing written empties nothing".to_owned()),
        Some(_) => Err("that is more than 16G".to_owned()),
        None => Err("a size is a number, and K, M or G where it is many: 32K, 8M; or `sweep`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in
            [("65536", 65_536), ("32K", 32_768), ("8MiB", 8 << 20), ("1 GB", 1 << 30), ("2k", 2_048)]
        {
            assert_eq!(parse_wipe_size(text), Ok(WipeSize::Bytes(bytes)), "{text}");
        }
        assert_eq!(parse_wipe_size("sweep"), Ok(WipeSize::Sweep));
        for text in ["", "0", "K", "-1", "1.5M", "32X", "17G", "99999999999999999999", "99999999999999G"] {
            assert!(parse_wipe_size(text).is_err(), "{text}");
        }
    }
}
