//! The flags for caches, threads and counters.

use super::words::words;
use crate::load_beside::LoadBeside;
use clap::Args;
use clap::builder::PossibleValuesParser;
use nanobench::model::{COUNTERS, CacheStates};

/// The conditions that benchmarks run under. Flags win over the attributes of benchmarks.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct ConditionArgs {
    /// Measure with warm caches, with caches emptied before each call, or with both.
    #[arg(long, value_name = "STATE", value_parser = words(&[
        ("warm", CacheStates::Warm, "Leave the caches as the previous call left them"),
        ("cold", CacheStates::Cold, "Empty the caches before each call, outside the timing"),
        ("both", CacheStates::Both, "Measure both, with a row for each"),
    ]))]
    pub(crate) cache: Option<CacheStates>,
    /// Empty the caches by writing this many bytes, one row for each size: 32K,1M,8M or `sweep`.
    ///
    /// `sweep` tries powers of two up to beyond the last cache. The time rises around the size of
    /// a cache.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = parse_wipe_size, allow_hyphen_values = true,
        hide = true)]
    pub(crate) wipe_size: Vec<WipeSize>,
    /// Run on this many threads at once, one row for each number: 1,2,4; 0 is all cores.
    ///
    /// Benchmarks that can't run on several threads fail and say why.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = parse_threads, allow_hyphen_values = true)]
    pub(crate) threads: Vec<u64>,
    /// Keep another core busy while benchmarks run.
    ///
    /// The run is not compared with the last one, and does not replace it.
    #[arg(long, value_name = "LOAD", hide = true, value_parser = words(&[
        ("cpu", LoadBeside::Cpu, "Computes, without memory"),
        ("memory", LoadBeside::Memory, "Writes to 256 MiB in order, which takes memory bandwidth"),
        ("cache", LoadBeside::Cache, "Writes at random to as much as the last cache holds"),
    ]))]
    pub(crate) load: Option<LoadBeside>,
    /// Count events in separate, untimed samples, one column each: --counters cycles,instructions.
    ///
    /// Without a list, count everything. Separate a bare --counters from a FILTER with `--`.
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

/// The number of bytes that are written to empty the caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WipeSize {
    /// All powers of two up to beyond the last cache.
    Sweep,
    Bytes(u64),
}

/// More threads than the largest machines have cores are a mistake.
const MAX_THREADS: u64 = 1024;

fn parse_threads(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Ok(std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64)),
        Ok(number @ 1..=MAX_THREADS) => Ok(number),
        _ => Err(format!("expected a whole number of threads, 0 for all cores, up to {MAX_THREADS}")),
    }
}

/// 16 GiB.
const MAX_WIPE_SIZE: u64 = 1 << 34;

/// Reads `sweep`, `65536`, `32K`, `8MiB`; units are multiples of 1,024, as cache sizes are.
fn parse_wipe_size(text: &str) -> Result<WipeSize, String> {
    const EXPECTED: &str = "expected a size like 65536, 32K, 8M or 1G, or `sweep`";
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
        _ => return Err(EXPECTED.to_owned()),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    match bytes {
        Some(bytes @ 1..=MAX_WIPE_SIZE) => Ok(WipeSize::Bytes(bytes)),
        Some(0) => Err("size must be greater than zero".to_owned()),
        Some(_) => Err("size must be at most 16G".to_owned()),
        None => Err(EXPECTED.to_owned()),
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
