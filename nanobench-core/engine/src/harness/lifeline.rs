//! Ends a harness process together with its run, even if the tool is killed.

/// Makes the operating system end this process when its parent ends.
///
/// A benchmark that never returns can't notice a closed connection. A watchdog thread would make
/// the process multi-threaded, which slows allocators, for example.
#[cfg(target_os = "linux")]
pub(super) fn die_with_parent() {
    use std::ffi::{c_int, c_ulong};
    #[expect(unsafe_code, reason = "the standard library has no such call, and links the C library anyway")]
    unsafe extern "C" {
        fn prctl(option: c_int, ...) -> c_int;
    }
    const PR_SET_PDEATHSIG: c_int = 1;
    const SIGKILL: c_ulong = 9;
    // SAFETY: the declaration is that of the C library; the call changes no memory.
    #[expect(unsafe_code, reason = "see above")]
    unsafe {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
}

/// Does nothing: here, a benchmark that never returns may outlive a killed run.
#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent() {}
