//! The noise of the machine and the report of `cargo nanobench doctor`. The checks of the machine
//! are in [`crate::environment`].

mod noise;
mod view;
mod workloads;

pub use noise::Noise;
pub use view::{json, table};
