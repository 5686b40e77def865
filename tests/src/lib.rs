//! Support for the end-to-end tests: the built `cargo nanobench`, copies of the fixtures, and the
//! outcomes of runs.
//!
//! ```no_run
//! use nanobench_tests::Fixture;
//!
//! Fixture::of("simple").nanobench("--list join").run().exits(0).prints("simple::first::join");
//! ```

mod builds;
mod fixture;
mod gate;
mod git;
mod invocation;
mod outcome;
mod processes;
mod product;
mod report;
#[cfg(unix)]
mod terminal;

pub use fixture::{Fixture, copy_with_times, own_version, repository};
pub use gate::{held_up, says_it_waits};
pub use git::git;
pub use invocation::{Invocation, Running};
pub use outcome::Outcome;
pub use processes::{left_running_for, started_for};
pub use product::{folder_of_the_product, product};
pub use report::{Allocations, Answer, BusySides, Comparison, Fit, Relation, Report, Row};

/// A page whose examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../../docs/reference/tools.md")]
struct Tools;
