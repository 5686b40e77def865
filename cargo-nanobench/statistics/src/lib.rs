//! Statistics as pure functions over slices: those of nanobench-core, and those that only comparisons
//! need. A crate of their own, because tests that simulate thousands of comparisons need them
//! optimised.

mod random_signs;
mod sign_flip;
mod signed_rank;
mod signed_rank_null;

pub use nanobench::stats::*;
pub use sign_flip::{differences, ratio_interval, ratio_of_sums, sign_flip_p};
pub use signed_rank::{hodges_lehmann, min_values_for_level, signed_rank_interval, signed_rank_p};
