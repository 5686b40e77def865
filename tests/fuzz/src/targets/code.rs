//! The walk through the machine code of an executable.

use crate::code::{CodeComparer, TimedLoops, loads_own_libraries};
use crate::folder;
use std::path::PathBuf;
use std::sync::LazyLock;

/// A small executable with a benchmark `f`: fixture/benchmark.c.
static FIXTURE: &[u8] = include_bytes!("../../corpus/code/benchmark");

static ORIGINAL: LazyLock<PathBuf> = LazyLock::new(|| folder::write("original", FIXTURE));

/// An executable is compared with another one, and with itself.
pub fn code(data: &[u8]) {
    let mutated = folder::write("mutated", data);
    let mut comparer = CodeComparer::default();
    comparer.compare(&ORIGINAL, &mutated, "f");
    comparer.compare(&mutated, &mutated, "f");
    TimedLoops::default().find(&mutated, "f");
    loads_own_libraries(&mutated);
}
