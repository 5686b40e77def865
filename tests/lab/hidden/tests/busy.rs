//! Threads that disturb everything else, so they have a process of their own.

use nanobench::nanobench;

#[nanobench]
fn busy_threads() -> u64 {
    lab_hidden::busy_threads::benchmark()
}
