//! Statistics as pure functions over slices: those of nanobench-core, and those that only the tool
//! needs.

mod shape;
mod signed_rank;

pub(crate) use nanobench::stats::*;
pub(crate) use shape::{drift, two_groups};
pub(crate) use signed_rank::{hodges_lehmann, min_values_for_level, signed_rank_interval, signed_rank_p};
