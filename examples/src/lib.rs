//! Small pieces of real work, for the benchmarks in `benches/` to measure. [`varint`] has benchmarks of its
//! own, beside the private functions that they time.

pub mod lru;
pub mod random;
pub mod varint;
