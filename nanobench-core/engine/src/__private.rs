//! Items for the code that `#[nanobench]` and `main!` generate. Not for direct use: they may change
//! in any release.

pub use crate::fitness::is_unoptimized;
pub use crate::fixture::fixture;
pub use crate::harness::{expression, in_order, main, own_main_runs, remark, run, test, without_effect};
pub use crate::measure::{Bencher, Count, Segment, TimedCode};
pub use crate::model::{CacheStates, ThroughputUnit};
pub use crate::registry::{
    Argument, Body, ByValue, Calls, Case, Cases, Complexity, Curve, DebugText, DisplayText, Entry, Group,
    Label, LocalArg, NoText, Registered, RegisteredGroup, Settings, StaticReference, SyncArg, Text, amount,
    hidden, override_settings, static_reference, supplied, supplied_ref, threads, unit_name, units, value,
};
pub use inventory;
