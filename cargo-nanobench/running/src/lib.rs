//! The processes of benchmarks ([`session`]), and what is measured in them: [`experiment`] samples the
//! benchmarks of a suite and runs them beside their baselines, and [`instructions`] counts exactly.
//! [`revision`] builds the benchmarks of another commit.

#![expect(missing_docs, reason = "fields and variants whose names say it all have no documentation")]

pub mod disturbance;
pub mod experiment;
pub mod instructions;
pub mod revision;
pub mod session;

use machine_code::{code, relink};
#[cfg(target_os = "linux")]
use project::descendants;
use project::{
    affinity, benchmark_id, cargo, deadline, environment, fingerprint, git, interrupt, limits, output,
    scratch, suggest, tune, warnings,
};
use verdicts::earlier_comparison;
