//! Small pieces of real work for the benchmarks in `benches/`. [`varint`] contains its own
//! benchmarks, next to the private functions that they measure.

pub mod lru;
pub mod random;
pub mod varint;
