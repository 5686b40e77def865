//! Only `benches/` has something.
