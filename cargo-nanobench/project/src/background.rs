//! Work beside a program that the run waits for.

/// Lets other threads and processes go before this thread and those that it starts: they only have
/// to be done when cargo has checked the build. Does nothing on other systems than Linux, where
/// threads have no priority of their own.
pub fn enter() {
    // Nothing but time is lost if the system refuses.
    #[cfg(target_os = "linux")]
    let _ = rustix_1::process::nice(10);
}
