//! Warnings about a machine or a build that is unfit for measuring.

use crate::debugger;
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::Path;

/// The variable with the name of a benchmark to run endlessly.
pub(crate) const ENDLESS: &str = "NANOBENCH_ENDLESS";
const SUPPRESS: &str = "NANOBENCH_SUPPRESS_WARNINGS";

/// Returns whether the environment asks for no warnings.
#[inline]
pub(crate) fn is_suppressed() -> bool {
    std::env::var_os(SUPPRESS).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Returns the warnings above the first table; empty if there is nothing to warn about.
/// `is_unoptimized`: of the crates with timed code.
#[inline]
pub(crate) fn warnings(is_unoptimized: bool) -> String {
    let found = [
        cfg!(debug_assertions).then_some("this is a debug build: use `--release`"),
        (!cfg!(debug_assertions) && is_unoptimized)
            .then_some("this build is not optimised: remove `opt-level = 0` from its profile"),
        debugger::is_attached().then_some("a debugger is attached"),
        file_starts_with("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance")
            .is_some_and(|is_fast| !is_fast)
            .then_some("CPU frequency scaling is enabled: the governor is not `performance`"),
        file_starts_with("/sys/devices/system/cpu/intel_pstate/no_turbo", "0")
            .is_some_and(|is_on| is_on)
            .then_some("turbo is enabled: the CPU's frequency will vary"),
    ];
    let mut lines = String::new();
    for warning in found.into_iter().flatten() {
        if lines.is_empty() {
            lines += "Warning, results might be unstable:\n";
        }
        let _ = writeln!(lines, "* {warning}");
    }
    lines
}

/// Size of a variable that an optimised build doesn't have: larger than all others in a frame.
const ROOM: usize = 64 << 10;

/// Returns whether the crate that calls this is compiled without optimisation, by its profile or by
/// an override for one package: whether there is room on the stack for a variable that nothing
/// reads.
#[inline]
pub fn is_unoptimized() -> bool {
    let above = 0_u8;
    has_room_below(black_box(&raw const above).addr())
}

#[inline]
fn has_room_below(above: usize) -> bool {
    let mut unread = [0_u8; ROOM];
    // Through a reference, so that the variable is not removed before the crate that calls this is
    // compiled.
    let bytes: &mut [u8] = &mut unread;
    bytes[black_box(0) % ROOM] = 1;
    above.abs_diff(stack_address()) >= ROOM
}

/// Returns an address in a frame below that of the caller.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    black_box(&raw const here).addr()
}

/// Returns whether a file starts with a text. `None` if it can't be read.
#[inline]
fn file_starts_with(path: &str, text: &str) -> Option<bool> {
    fs::read_to_string(Path::new(path)).ok().map(|content| content.starts_with(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_optimisation_is_noticed() {
        assert_eq!(is_unoptimized(), cfg!(debug_assertions));
    }
}
