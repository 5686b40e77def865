//! Numbers of executions of single instructions.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The place of an instruction in an executable or library: its file, and its address there.
pub(super) type Place = (Arc<Path>, u64);

/// The number of executions of each instruction.
pub(super) type Executions = BTreeMap<Place, u64>;
