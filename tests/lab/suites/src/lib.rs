//! The suite in `benches` needs a package.
