//! Sizes of the caches, by rows of one function that differ in the number of bytes written between
//! their calls.

use super::gather::gather;
use super::row::Row;
use crate::benchmark_id::{BenchmarkId, FunctionId};
use nanobench::model::{RowId, RunConditions};
use nanobench::stats::Interval;
use serde::Serialize;

/// Minimum ratio of the times at two adjacent sizes for a rise.
const MIN_RISE: f64 = 1.15;
/// Minimum number of sizes in a sweep.
const MIN_SIZES: usize = 3;

/// The rows of one function.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Sweep {
    pub(crate) function: FunctionId,
    /// Labels and conditions that the rows have in common: `1000` of `1000/cold`. May be empty.
    pub(crate) case: String,
    /// The rises of the time, ordered by size.
    pub(crate) rises: Vec<Rise>,
}

/// A rise of the time: a cache of about this size no longer holds the benchmark's data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Rise {
    /// Bytes written between two calls.
    pub(crate) size: u64,
    /// Ratio of the times after and before the rise.
    pub(crate) factor: f64,
}

/// The time at one size.
#[derive(Debug, Clone, Copy)]
struct Step {
    size: u64,
    median: f64,
    interval: Interval,
}

/// Returns the sweeps among some rows, in the order of the rows.
pub(crate) fn sweep<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<Sweep> {
    let step = |row: &Row| {
        let (_, summary) = row.resolved()?;
        let size = row.benchmark.spec.wipe_size?;
        let step = Step { size, median: summary.median, interval: summary.interval };
        Some((without_cache(&row.benchmark.id), step))
    };
    gather(rows.into_iter().filter_map(step))
        .into_iter()
        .filter(|(_, steps)| steps.len() >= MIN_SIZES)
        .map(|(id, steps)| Sweep { function: id.function(), case: id.row.case(), rises: rises(steps) })
        .collect()
}

/// Returns an id without the state of the caches.
fn without_cache(id: &BenchmarkId) -> BenchmarkId {
    let conditions = RunConditions { threads: id.row.conditions.threads, ..RunConditions::default() };
    BenchmarkId { target: id.target.clone(), row: RowId { conditions, ..id.row.clone() } }
}

/// Returns the rises between the steps. Adjacent rises are one, as the time does not rise within a
/// few bytes. The size of a rise is that of its steepest step.
fn rises(mut steps: Vec<Step>) -> Vec<Rise> {
    steps.sort_by_key(|step| step.size);
    let mut rises: Vec<Rise> = Vec::new();
    let (mut steepest, mut continues) = (0.0, false);
    for pair in steps.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        let factor = after.median / before.median;
        let has_risen = factor > MIN_RISE && after.interval.low > before.interval.high;
        match rises.last_mut().filter(|_| has_risen && continues) {
            Some(rise) => {
                if factor > steepest {
                    (rise.size, steepest) = (after.size, factor);
                }
                rise.factor *= factor;
            }
            None if has_risen => {
                rises.push(Rise { size: after.size, factor });
                steepest = factor;
            }
            None => {}
        }
        continues = has_risen;
    }
    rises
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark_id::fixture::id;
    use nanobench::model::CacheState;

    fn of(times: &[(u64, f64)]) -> Vec<Rise> {
        let step = |&(size, median): &(u64, f64)| Step {
            size,
            median,
            interval: Interval { low: median * 0.95, high: median * 1.05 },
        };
        rises(times.iter().map(step).collect())
    }

    #[test]
    fn adjacent_rises_are_one_cache() {
        let times = [(8, 10.0), (16, 10.2), (32, 12.5), (64, 25.0), (128, 25.5), (256, 25.0), (512, 100.0)];
        assert_eq!(of(&times), [Rise { size: 64, factor: 25.0 / 10.2 }, Rise { size: 512, factor: 4.0 }]);
    }

    #[test]
    fn noise_is_not_a_cache() {
        assert_eq!(of(&[(8, 10.0), (16, 10.9), (32, 10.1), (64, 11.0)]), []);
    }

    #[test]
    fn rows_of_a_sweep_differ_in_the_caches_only() {
        let case = |text: &str, threads| {
            let BenchmarkId { target, row } = id(text);
            let conditions = RunConditions { cache: CacheState::Cold, wipe_size: Some(32 << 10), threads };
            without_cache(&BenchmarkId { target, row: RowId { conditions, ..row } }).row.case()
        };
        assert_eq!(case("a::first::walk/1000", Some(2)), "1000/threads=2");
        assert_eq!(case("a::first::walk", None), "");
        assert_eq!(case("a::first::walk/cold start", None), "cold start");
    }
}
