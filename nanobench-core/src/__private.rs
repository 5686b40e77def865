//! What the code that `#[nanobench]` and `main!` write needs. Not for use by hand: it changes without notice.

pub use crate::fixture::fixture;
pub use crate::harness::{main, test};
pub use crate::measure::{Bencher, Count};
pub use crate::registry::{
    Argument, Body, ByDebug, ByDisplay, ByNothing, ByValue, Cache, Case, Cases, Complexity, Curve, Entry,
    Group, Label, LocalArg, Registered, RegisteredGroup, Settings, SyncArg, Text, amount, block_on, supplied,
    supplied_ref, threads, value,
};
pub use inventory;
