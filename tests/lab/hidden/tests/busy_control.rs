//! The control of `busy`, in a process of its own.

use nanobench::nanobench;

#[nanobench]
fn busy_threads() -> u64 {
    lab_hidden::busy_threads::control()
}
