//! Statistics as pure functions over slices: those of nanobench-core, and those that only comparisons
//! need.

mod betting;
mod hodges_lehmann;
mod order;
mod ratio;

pub use betting::{Bets, Hypothesis, betting_interval, log_evidence, log_sum, rejected};
pub use hodges_lehmann::hodges_lehmann;
pub use nanobench::stats::*;
pub use order::{ascending, median, sorted};
pub use ratio::{ratio_interval, ratio_of_sums};
