//! Builds that can't read the processor's counters.

use super::Counter;

pub(super) fn open(_name: &str) -> Result<Box<dyn Counter>, String> {
    Err(if cfg!(target_os = "linux") {
        "Cargo.toml lacks the feature: nanobench-core = { .., features = [\"counters\"] }"
    } else {
        "the processor's counters can be read only on Linux"
    }
    .to_owned())
}
