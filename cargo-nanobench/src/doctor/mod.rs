//! What `cargo nanobench doctor` measures and prints: the machine's own noise, and from it the smallest change that can
//! be seen here. What it finds besides comes from [`crate::environment`].

mod noise;
mod view;
mod work;

pub(crate) use noise::Noise;
pub(crate) use view::{json, table};
