//! Architectures whose counter is not known here: they use the operating system's clock.

use super::Unavailable;

pub(super) const NAME: &str = "counter";

pub(super) fn check() -> Result<(), Unavailable> {
    Err(Unavailable::Unknown)
}

/// Never called, as there is no [`super::Counter`] where `check` says no.
pub(super) fn start() -> u64 {
    0
}

/// Never called either.
pub(super) fn end() -> u64 {
    0
}
