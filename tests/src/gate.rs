//! The fixture `gate`, whose second benchmark reports that it runs, and then waits for the test.

use crate::fixture::Fixture;
use crate::invocation::Running;

/// Starts the fixture `gate` and returns during its second benchmark, which ends once a file `go`
/// exists.
pub fn held_up(gate: &Fixture, arguments: &str) -> Running {
    let mut running = gate.nanobench(arguments).start();
    let started = gate.files().join("started");
    running.wait_until("the benchmark has started", |_| started.exists());
    running
}

/// Returns whether a run reports that it waits for another run. Cargo's own waiting for the shared
/// build directory doesn't count.
pub fn says_it_waits(stderr: &str) -> bool {
    stderr.lines().any(|line| line.to_lowercase().contains("waiting") && !line.contains("file lock"))
}
