//! Each of the built-in benchmarks executes instructions for each operation, so that none can
//! become empty unseen. Valgrind's callgrind counts them, so the result does not depend on time.

use crate::callgrind::{Harness, is_installed};
use nanobench::measure::SampleRequest;
use nanobench::model::{BenchmarkSpec, RunConditions};
use nanobench::protocol::{Reply, Request, SampleBenchmark};
use nanobench_tests::product;

/// Benchmarks whose set-up takes many seconds under valgrind. Smaller ones run the same code.
const LARGE: [&str; 6] = ["MiB", "1000000", "16777216", "100 000", "100000", "1048576"];

/// Areas whose work is done by other threads or by the operating system, which no compiler removes.
const NOT_COUNTED: [&str; 2] = ["threads", "system"];

/// Part of the id of a row that waits for another thread, in as many iterations as it happens.
const WAITS: &str = "another core";

#[test]
#[ignore = "takes 15 s; .ci/run does it on request"]
fn every_row_executes_instructions_for_each_operation() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut harness = Harness::start(folder.path(), product());
    let rows: Vec<(u64, BenchmarkSpec)> = harness.list();
    let (loops, _) = rows.iter().find(|(_, row)| row.takes_count).expect("a row with a loop");
    let samples: Vec<Sample> = rows.iter().filter(|(_, row)| is_counted(row)).map(Sample::of).collect();
    assert!(samples.len() > 80, "{} rows", samples.len());
    take(&mut harness, &Sample { index: *loops, iterations: 1, count: 0, ..Sample::default() });
    for sample in &samples {
        take(&mut harness, sample);
    }
    let differences: Vec<i64> = harness.finish().chunks(3).map(|counts| counts[2] - counts[1]).collect();
    let (empty, differences) = differences.split_first().expect("the first one");
    assert_eq!(differences.len(), samples.len());
    let mut without = Vec::new();
    for (sample, instructions) in samples.iter().zip(differences) {
        // A function with a loop was called once in each sample.
        let calls = if sample.count > 1 { 0 } else { *empty };
        let each = (instructions - calls) as f64 / (sample.count * sample.batch) as f64;
        println!("{each:9.2} instructions: {}", sample.id);
        if each < 1.0 {
            without.push(format!("{}: {each:.2} instructions for each operation", sample.id));
        }
    }
    assert!(without.is_empty(), "{}", without.join("\n"));
}

fn is_counted(row: &BenchmarkSpec) -> bool {
    let id = row.id.to_string();
    row.id.conditions == RunConditions::default()
        && !NOT_COUNTED.contains(&row.id.modules.as_str())
        && !id.contains(WAITS)
        && !LARGE.iter().any(|size| id.contains(size))
}

/// A sample of a benchmark. It is taken again with twice the calls or twice the count.
#[derive(Debug, Default)]
struct Sample {
    id: String,
    index: u64,
    iterations: u64,
    count: u64,
    /// The number of operations in a call.
    batch: u64,
}

impl Sample {
    fn of((index, row): &(u64, BenchmarkSpec)) -> Self {
        let count = if row.takes_count { 64 } else { 1 };
        let batch = row.batch.unwrap_or(1);
        Self { id: row.id.to_string(), index: *index, iterations: 1, count, batch }
    }

    fn twice(&self) -> Self {
        let (iterations, count) = if self.count > 1 {
            (self.iterations, 2 * self.count)
        } else {
            (2 * self.iterations, self.count)
        };
        Self { id: self.id.clone(), iterations, count, ..*self }
    }
}

/// Takes a sample, and one of twice as much.
fn take(harness: &mut Harness, sample: &Sample) {
    // The first one sets up what is kept for the benchmark.
    take_once(harness, sample);
    take_once(harness, sample);
    take_once(harness, &sample.twice());
}

fn take_once(harness: &mut Harness, sample: &Sample) {
    let request = SampleRequest {
        samples: 1,
        iterations: sample.iterations,
        exact_iterations: true,
        count: sample.count,
        max_kept_results: 1,
        round: 0,
        seed: 0,
        measure_waiting: false,
    };
    let reply = harness.request(Request::Sample(SampleBenchmark { benchmark: sample.index, request }));
    assert!(matches!(reply, Reply::Samples(_)), "{}: {reply:?}", sample.id);
}
