//! `NANOBENCH_ENDLESS`: one benchmark, called until the process is ended, for a profiler.

use super::measuring::InProcess;
use crate::configuration::Configuration;
use crate::fitness::ENDLESS;
use crate::harness::rows::Row;
use crate::measure::{CalibrationRequest, Engine, SampleRequest, Sampler as _};
use crate::report::escape;

/// Length of a sample, in ns. Little time of the process passes between samples this long.
const SAMPLE_TIME: f64 = 100e6;

/// Runs the benchmark whose path or name is in the environment until the process ends, if there is
/// one.
pub(super) fn run_if_requested(engine: &Engine, rows: &[&Row], configuration: &Configuration) {
    let Some(name) = std::env::var_os(ENDLESS).filter(|name| !name.is_empty()) else { return };
    let has_name =
        |row: &&&Row| *name == *row.benchmark.id.to_string() || *name == *row.benchmark.id.function;
    let Some(row) = rows.iter().find(has_name) else {
        // Cargo passes the environment to all targets, and another one may have it.
        return eprintln!("{ENDLESS}: there is no benchmark `{}` here", escape(&name.to_string_lossy()));
    };
    eprintln!("{ENDLESS} set: running '{}' endlessly", escape(&row.benchmark.id.to_string()));
    let plan = configuration
        .plan(row.benchmark.sampling.unwrap_or_default(), engine.clock_calibration().clock.resolution);
    let mut process = InProcess { engine, row, min_iterations: 1 };
    let (sample_time, iterations) = (plan.sample_time.max(SAMPLE_TIME), plan.iterations);
    let request = CalibrationRequest { sample_time, iterations, count: None, warmup: plan.warmup };
    let Ok(found) = process.calibrate(&request);
    for round in 0.. {
        let request = SampleRequest {
            samples: 1,
            iterations: found.iterations,
            exact_iterations: iterations.is_some(),
            count: found.count,
            max_kept_results: found.max_kept_results,
            round,
            seed: 0,
            measure_waiting: false,
        };
        let Ok(_) = process.sample(&request);
    }
}
