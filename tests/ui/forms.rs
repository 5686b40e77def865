//! Compiles all forms of benchmarks without `cfg(test)`; `tests/forms.rs` compiles them with it and
//! runs them.

#![forbid(unsafe_code)]

#[path = "pass/mod.rs"]
mod pass;

// `pass/by_macro.rs` reaches it with `$crate`.
use nanobench as nanobench_again;

fn main() {
    pass::main();
}
