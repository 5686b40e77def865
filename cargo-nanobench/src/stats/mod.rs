//! Statistics: those of nanobench-core, which every user compiles, and those that only comparing and doubting need. Pure
//! functions over slices.

mod shape;
mod signed_rank;

pub(crate) use nanobench::stats::*;
pub(crate) use shape::{drift, two_groups};
pub(crate) use signed_rank::{hodges_lehmann, signed_interval, signed_least, signed_rank_p};
