//! The workloads: every tool of the lab measures these very functions.

mod chain;
mod kinds;
mod others;
pub mod plain;
mod suite;
mod three;
mod variants;

pub use chain::{chain, fed};
pub use kinds::*;
pub use others::*;
pub use suite::*;
pub use three::{double, fluctuating, sleep_10ms};
pub use variants::*;
