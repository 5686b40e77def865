//! Items for the code that the macros generate. They may change in any release.

pub use nanobench_engine::__private::in_order::target;
