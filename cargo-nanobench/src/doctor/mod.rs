//! The noise of the machine and the report of `cargo nanobench doctor`. The checks of the machine
//! are in [`crate::environment`].

mod noise;
mod view;
mod workloads;

pub(crate) use noise::Noise;
pub(crate) use view::{json, table};
