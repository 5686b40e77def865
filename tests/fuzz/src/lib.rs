//! The fuzz targets: each is a function that takes any bytes, and panics if the tool or its library
//! would, or if a promise doesn't hold. `tests/fuzz/run` runs them.

mod folder;
mod targets;

pub use targets::*;
