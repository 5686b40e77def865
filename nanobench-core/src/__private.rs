//! What the code that `#[nanobench]` and `main!` write needs. Not for use by hand: it changes without notice.

pub use crate::harness::{main, test};
pub use crate::measure::{Count, Run};
pub use crate::registry::{Entry, Registered};
pub use inventory;
