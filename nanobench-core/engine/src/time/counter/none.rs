//! Architectures without a supported counter. They use the operating system's clock.

pub(super) const NAME: &str = "counter";

pub(super) fn check() -> Result<(), &'static str> {
    Err("this architecture has none that is supported")
}

/// Nobody needs them.
pub(super) fn family_and_model() -> Option<(u32, u32)> {
    None
}

/// Never called, since `check` fails.
pub(super) fn start() -> u64 {
    0
}

/// Never called, since `check` fails.
pub(super) fn end() -> u64 {
    0
}
