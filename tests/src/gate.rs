//! The fixture `gate`, whose second benchmark says when it runs and goes on when the test lets it.

use crate::fixture::Fixture;
use crate::invocation::Running;

/// Runs the fixture `gate` and comes back in the middle of its second benchmark, which ends when there is a file `go`.
pub fn held_up(gate: &Fixture, arguments: &str) -> Running {
    let mut running = gate.nanobench(arguments).start();
    let started = gate.files().join("started");
    running.wait_until("the benchmark has started", |_| started.exists());
    running
}

/// Whether a run has said that it waits for another. Cargo's own waiting for the build directory, which the fixtures
/// share, is not what is meant.
pub fn says_it_waits(stderr: &str) -> bool {
    stderr.lines().any(|line| line.to_lowercase().contains("waiting") && !line.contains("file lock"))
}
