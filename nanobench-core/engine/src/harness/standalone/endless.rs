//! `NANOBENCH_ENDLESS`: one benchmark, called until the process is ended, for a profiler.

use super::measuring::InProcess;
use crate::configuration::Configuration;
use crate::fitness::ENDLESS;
use crate::harness::rows::Row;
use crate::measure::Engine;
use crate::report::escape;

/// Runs the benchmark whose path or name is in the environment until the process ends, if there is
/// one.
pub(super) fn run_if_requested(engine: &Engine, rows: &[&Row], configuration: &Configuration) {
    let Some(name) = std::env::var_os(ENDLESS).filter(|name| !name.is_empty()) else { return };
    let has_name =
        |row: &&&Row| *name == *row.benchmark.id.to_string() || *name == *row.benchmark.id.function;
    let Some(&row) = rows.iter().find(has_name) else {
        // Cargo passes the environment to all targets, and another one may have it.
        return eprintln!("{ENDLESS}: there is no benchmark `{}` here", escape(&name.to_string_lossy()));
    };
    eprintln!("{ENDLESS} set: running '{}' endlessly", escape(&row.benchmark.id.to_string()));
    let plan = configuration
        .plan(row.benchmark.sampling.unwrap_or_default(), engine.clock_calibration().clock.resolution);
    let Ok(()) = plan.sample_until(&mut InProcess { engine, row, min_iterations: 1 }, &mut || false);
}
