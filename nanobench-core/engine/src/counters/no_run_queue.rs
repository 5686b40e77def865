//! Operating systems that don't tell how long a thread waits for a processor.

use super::Waits;

pub(super) fn waits() -> Option<Waits> {
    None
}
