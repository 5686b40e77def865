//! Code in dynamic libraries. All benchmarks are in `tests/`.
