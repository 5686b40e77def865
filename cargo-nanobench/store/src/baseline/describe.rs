//! Short descriptions of baselines, safe to print to a terminal.

use super::RunRecord;
use crate::environment::Checkout;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use nanobench::report::{counted, escape};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// The age from which a date says more.
const DATED: i64 = 30 * DAY;

/// Returns the age, commit and size of a baseline: `2 h ago, 3f2a91c, 5 benchmarks`.
pub fn summary(baseline: &RunRecord) -> String {
    let now = Timestamp::now();
    let mut times = measured_before(baseline).chain([baseline.created]);
    // Finding the time zone takes 2 ms of a run, and only dates need it.
    let has_date = times.any(|time| !(0..DATED).contains(&seconds_since(time, now)));
    let zone = if has_date { TimeZone::system() } else { TimeZone::UTC };
    describe(baseline, &now.to_zoned(zone))
}

fn seconds_since(created: Timestamp, now: Timestamp) -> i64 {
    now.as_second() - created.as_second()
}

/// Returns the times of earlier runs, one for each benchmark of a baseline that they measured.
fn measured_before(baseline: &RunRecord) -> impl Iterator<Item = Timestamp> {
    let times = baseline.benchmarks.iter().map(|benchmark| baseline.measured_at(benchmark));
    times.filter(|&time| time != baseline.created)
}

/// Returns the age, commit and size of a baseline, with ages as of `now`.
pub fn describe(baseline: &RunRecord, now: &Zoned) -> String {
    let run_age = age(baseline.created, now);
    let older = measured_before(baseline).min().map(|oldest| {
        let oldest_age = Some(age(oldest, now)).filter(|oldest_age| *oldest_age != run_age);
        let oldest = oldest_age.map_or_else(String::new, |age| format!(", the oldest from {age}"));
        format!("{} with figures of earlier runs{oldest}", measured_before(baseline).count())
    });
    let parts = [
        Some(run_age),
        baseline.environment.commit.as_ref().map(short_commit),
        Some(counted(baseline.benchmarks.len(), "benchmark")),
        older,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns an age: `2 h ago`. Returns a date if it is more than 30 days ago or, by another
/// machine's clock, in the future.
pub fn age(created: Timestamp, now: &Zoned) -> String {
    match seconds_since(created, now.timestamp()) {
        0..MINUTE => "just now".to_owned(),
        seconds @ MINUTE..HOUR => format!("{} min ago", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{} h ago", seconds / HOUR),
        seconds if (DAY..2 * DAY).contains(&seconds) => "yesterday".to_owned(),
        seconds if (2 * DAY..DATED).contains(&seconds) => format!("{} days ago", seconds / DAY),
        _ => created.to_zoned(now.time_zone().clone()).date().to_string(),
    }
}

/// Returns `3f2a91c`, or `3f2a91c-dirty` if the working tree had changes.
pub fn short_commit(commit: &Checkout) -> String {
    let hash = escape(&commit.hash.chars().take(7).collect::<String>());
    if commit.dirty { format!("{hash}-dirty") } else { hash }
}

#[cfg(test)]
mod tests {
    use super::super::format::{RunInfo, StoredBenchmark};
    use super::super::tests::benchmark;
    use super::*;
    use crate::environment::Environment;
    use jiff::SignedDuration;

    #[test]
    fn ages_are_rounded_down() {
        let now: Zoned = "2026-11-21T12:00:00+01:00[+01:00]".parse().unwrap();
        let ago = |seconds| age(now.timestamp() - SignedDuration::from_secs(seconds), &now);
        for (seconds, words) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (HOUR - 1, "59 min ago"),
            (2 * HOUR + 5, "2 h ago"),
            (DAY - 1, "23 h ago"),
            (DAY, "yesterday"),
            (2 * DAY, "2 days ago"),
            (30 * DAY - 1, "29 days ago"),
        ] {
            assert_eq!(ago(seconds), words);
        }
        // Dates are in the time zone of `now`.
        assert_eq!(ago(60 * DAY - 10 * HOUR), "2026-09-22");
        assert_eq!(ago(60 * DAY - 12 * HOUR), "2026-09-23");
        assert_eq!(ago(-10 * DAY), "2026-12-01");
    }

    #[test]
    fn the_age_of_the_oldest_is_left_out_if_it_says_nothing_new() {
        let stored = benchmark("a", None);
        let of_run = |earlier_run| StoredBenchmark { earlier_run, ..stored.clone() };
        let benchmarks = [None, Some(0), Some(1)].map(of_run).to_vec();
        let mut run = RunRecord::new(Environment::default(), Vec::new(), benchmarks);
        let now = run.created.to_zoned(TimeZone::UTC);
        let mut described = |age| {
            let earlier = |age| RunInfo {
                created: now.timestamp() - SignedDuration::from_secs(age),
                environment: Environment::default(),
            };
            run.earlier_runs = [1, age].map(earlier).to_vec();
            describe(&run, &now)
        };
        assert_eq!(described(5), "just now, 3 benchmarks, 2 with figures of earlier runs");
        assert_eq!(
            described(2 * MINUTE),
            "just now, 3 benchmarks, 2 with figures of earlier runs, the oldest from 2 min ago"
        );
    }

    #[test]
    fn commit_is_short_and_marked_as_dirty() {
        let commit = |dirty| Checkout { hash: "3f2a91c0d1e2".to_owned(), branch: None, dirty };
        assert_eq!(short_commit(&commit(false)), "3f2a91c");
        assert_eq!(short_commit(&commit(true)), "3f2a91c-dirty");
    }
}
