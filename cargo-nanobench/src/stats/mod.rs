//! Statistics: those of nanobench-core, which every user compiles, and those that only comparing and doubting need. Pure
//! functions over slices.

mod shape;
mod signed;

pub(crate) use nanobench::stats::*;
pub(crate) use shape::{drift, two_groups};
pub(crate) use signed::{signed_interval, signed_least, signed_middle, signed_p};
