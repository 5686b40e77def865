//! Work beside a program that the run waits for.

/// Lets other threads and processes go before this thread and those that it starts: they only have
/// to be done when cargo has checked the build. Does nothing on other systems than Linux, where
/// threads have no priority of their own.
pub fn enter() {
    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "nix has no `nice`")]
    // Nothing but time is lost if the system refuses.
    // SAFETY: it takes and changes no memory.
    let _ = unsafe { nix::libc::nice(10) };
}
