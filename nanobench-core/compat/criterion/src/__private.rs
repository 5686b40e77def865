//! Items for the code that the macros generate. They may change in any release.

pub use nanobench::__private::in_order::target;
