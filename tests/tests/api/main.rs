//! Tests of the library as its users call it: the attribute in all its forms, random numbers and
//! the stopwatch, the list of all public items, and that of all options.

mod forms;
mod options;
mod public_surface;
mod rng_and_stopwatch;

/// A renamed nanobench: the macros of `ui/pass/by_macro.rs` name it as `$crate::nanobench_again`.
use nanobench as nanobench_again;
