//! Operating systems without supported counters.

use super::Counter;

pub(super) fn open(_name: &str) -> Result<Box<dyn Counter>, String> {
    Err("this operating system is not supported".to_owned())
}
