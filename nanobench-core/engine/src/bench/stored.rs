//! Results as `cargo nanobench` has them: from its runs, and for its baselines.

use super::Bench;
use super::result::BenchResult;
use super::settings::Settings;
use crate::measure::Plan;
use crate::model::{BenchmarkSpec, ComplexityInput, KeyValue, Measurement, RowId};
use crate::record::record;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The format that [`Bench::save`] writes.
pub const FORMAT: u64 = 1;

record! {
    /// The file that [`Bench::save`] writes.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct SavedBench {
        /// [`FORMAT`].
        pub bench_format: u64,
        /// The version of nanobench-core.
        pub nanobench_core: String,
        /// The name of the program.
        pub program: String,
        /// The time, in seconds since 1970.
        pub created: u64,
        /// The model of the processor, if it is known.
        pub cpu: Option<String>,
        /// The number of logical processors that the program may use.
        pub cores: Option<u64>,
        /// The architecture of the program: `x86_64`.
        pub arch: String,
        /// The results, in the order of the runs.
        pub results: Vec<SavedResult>,
    }
}

record! {
    /// A result.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct SavedResult {
        /// The title of its table.
        pub title: String,
        /// Its description. The id is the name, with the size of the input as its label.
        pub benchmark: BenchmarkSpec,
        /// The raw samples.
        pub measurement: Measurement,
    }
}

impl Bench {
    /// Saves all results with their raw samples. `cargo nanobench baseline import FILE --name NAME`
    /// makes a baseline of the file, and `cargo nanobench report --baseline` compares two of them.
    ///
    /// ```no_run
    /// let mut bench = nanobench::Bench::new();
    /// bench.run("add", || std::hint::black_box(1) + 1);
    /// bench.save("before.json")?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the file can't be written, or if a batch is not a whole number.
    #[inline]
    pub fn save(&self, file: impl AsRef<Path>) -> io::Result<()> {
        let mut ids = HashMap::new();
        let results = self.results.iter().map(|result| saved(result, &mut ids));
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let saved = SavedBench {
            bench_format: FORMAT,
            nanobench_core: env!("CARGO_PKG_VERSION").to_owned(),
            program: program(),
            created: since_1970.as_secs(),
            cpu: cpu(),
            cores: thread::available_parallelism().ok().map(|cores| cores.get() as u64),
            arch: std::env::consts::ARCH.to_owned(),
            results: results.collect::<io::Result<_>>()?,
        };
        fs::write(file, crate::json::to_string(&saved) + "\n")
    }
}

/// Returns a result in its stored form. `ids` counts the results with the same id.
#[inline]
fn saved(result: &BenchResult, ids: &mut HashMap<(String, RowId), u64>) -> io::Result<SavedResult> {
    let BenchResult { settings, measurement, .. } = result;
    let batch = settings.batch / measurement.operations() as f64;
    if batch.fract() != 0.0 || !(1.0..1e15).contains(&batch) {
        let name = crate::report::escape(&settings.name);
        let why = format!("`{name}` can't be saved: its batch is {batch}, which is not a whole number");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let batch = Some(batch as u64).filter(|&batch| batch > 1);
    let labels = settings.complexity_n.map(|n| n.to_string()).into_iter().collect();
    let id = RowId { function: settings.name.clone(), labels, ..RowId::default() };
    let number = ids.entry((settings.title.clone(), id.clone())).or_default();
    *number += 1;
    let pair = |(key, value): &(String, String)| KeyValue { key: key.clone(), value: value.clone() };
    Ok(SavedResult {
        title: settings.title.clone(),
        benchmark: BenchmarkSpec {
            id: RowId { number: (*number > 1).then_some(*number), ..id },
            unroll: 1,
            unit: (settings.unit != "op").then(|| settings.unit.clone()),
            batch,
            complexity: settings.complexity_n.map(|n| ComplexityInput { n, label: Some(0), custom: None }),
            context: Some(settings.context.iter().map(pair).collect()),
            ..BenchmarkSpec::default()
        },
        measurement: Measurement { batch, ..measurement.clone() },
    })
}

/// Returns the name of this program, without the hash that cargo adds to executables of tests.
#[inline]
fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_hash = |hash: &str| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    match name.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name.to_owned(),
        _ => name,
    }
}

/// Returns the model of the processor. `None` on systems other than Linux.
#[inline]
fn cpu() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let model = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(model.trim_start_matches(['\t', ' ', ':']).trim().to_owned())
}

/// Returns a benchmark of `cargo nanobench` as a result, for templates. An epoch is a sample.
#[inline]
pub fn bench_result(
    title: String,
    name: String,
    benchmark: &BenchmarkSpec,
    plan: &Plan,
    relative: Option<f64>,
    measurement: Measurement,
) -> BenchResult {
    let sample_time = Duration::try_from_secs_f64(plan.sample_time / 1e9).unwrap_or_default();
    let pair = |pair: &KeyValue| (pair.key.clone(), pair.value.clone());
    let samples = measurement.launches.iter().map(|launch| launch.samples.len() as u64).sum();
    let settings = Settings {
        title,
        name,
        unit: benchmark.unit.clone().unwrap_or_else(|| "op".to_owned()),
        context: benchmark.context.iter().flatten().map(pair).collect(),
        complexity_n: benchmark.complexity.as_ref().map(|input| input.n),
        clock_resolution_multiple: 0,
        epochs: samples,
        min_epoch_time: sample_time,
        max_epoch_time: sample_time,
        epoch_iterations: plan.iterations.unwrap_or(0),
        warmup: plan.warmup,
        relative: relative.is_some(),
        count: benchmark.count.unwrap_or(0),
        ..Settings::default()
    };
    BenchResult { relative, ..BenchResult::new(settings, measurement) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClockInfo, Launch, Sample};
    use crate::{Measure, json};

    /// Two samples of a closure that loops 50 times: 1,000 and 1,200 ns for each of 4 iterations.
    fn measurement() -> Measurement {
        let clock = ClockInfo {
            name: "os".into(),
            frequency: 1e9,
            resolution: 20.0,
            read_cost: 0.0,
            ..ClockInfo::default()
        };
        let sample = |elapsed| Sample { iterations: 4, elapsed, segments: 1, ..Sample::default() };
        let samples = vec![sample(4_000), sample(4_800)];
        let launches = vec![Launch { clock, segment_cost: 0.0, empty_loop: 0.0, samples }];
        Measurement { count: 50, unroll: 1, launches, ..Measurement::default() }
    }

    fn result(name: &str, batch: f64, n: Option<f64>) -> BenchResult {
        let settings = Settings { name: name.into(), batch, complexity_n: n, ..Settings::default() };
        BenchResult::new(settings, measurement())
    }

    #[test]
    fn saved_results_have_ids_batches_and_samples() {
        let mut bench = Bench::new();
        bench.results.extend([result("a", 2.0, Some(10.0)), result("a", 1.0, None), result("a", 1.0, None)]);
        let file = tempfile();
        bench.save(&file).unwrap();
        let saved: SavedBench = json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        fs::remove_file(&file).unwrap();
        let ids: Vec<String> = saved.results.iter().map(|result| result.benchmark.id.to_string()).collect();
        assert_eq!(ids, ["a/10", "a", "a/#2"]);
        assert_eq!(saved.results[0].measurement, Measurement { batch: Some(2), ..measurement() });
        assert_eq!((saved.bench_format, saved.results[1].title.as_str()), (1, "benchmark"));
        bench.results.push(result("half", 0.5, None));
        let error = bench.save(&file).unwrap_err().to_string();
        assert_eq!(error, "`half` can't be saved: its batch is 0.5, which is not a whole number");
        assert!(!file.exists());
    }

    fn tempfile() -> std::path::PathBuf {
        std::env::temp_dir().join(format!("nanobench-saved-{}.json", std::process::id()))
    }

    #[test]
    fn benchmarks_of_the_tool_are_results_with_samples_as_epochs() {
        let benchmark = BenchmarkSpec { unit: Some("byte".into()), ..BenchmarkSpec::default() };
        let plan = Plan { warmup: 3, ..Plan::default() };
        let result = bench_result("t".into(), "n".into(), &benchmark, &plan, Some(2.0), measurement());
        assert_eq!((result.title(), result.name(), result.unit(), result.batch()), ("t", "n", "byte", 50.0));
        assert_eq!((result.values(Measure::Elapsed), result.relative()), (vec![1e-6, 1.2e-6], Some(2.0)));
        assert_eq!((result.settings.epochs, result.settings.warmup), (2, 3));
        assert_eq!(result.settings.min_epoch_time, Duration::from_micros(250));
        assert!((result.time_per_operation() - 2.2e-8).abs() < 1e-15);
    }
}
