//! The walk through the machine code of an executable.

use crate::folder;
use machine_code::code::{CodeComparer, CodeMatch, KnownExecutables, loads_any_of, timed_loop};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A small executable with a benchmark `f`: fixture/benchmark.c.
static FIXTURE: &[u8] = include_bytes!("../../corpus/code/benchmark");

static ORIGINAL: LazyLock<PathBuf> = LazyLock::new(|| folder::write("original", FIXTURE));

/// An executable is compared with itself, and with another one if it can be read.
pub fn code(data: &[u8]) {
    let mutated = folder::write("mutated", data);
    let mut comparer = CodeComparer::default();
    if comparer.compare(&mutated, &mutated, ["f"; 2]) != CodeMatch::Unknown {
        comparer.compare(&ORIGINAL, &mutated, ["f"; 2]);
    }
    timed_loop(&KnownExecutables::default(), &mutated, &"f".into());
    loads_any_of(&mutated, &[Path::new("a.so")]);
}
