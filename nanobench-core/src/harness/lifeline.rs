//! A harness process does not outlive the run that it serves, even one that is killed.

/// From now on the operating system ends this process when its parent ends. A benchmark that never returns can't see that
/// its connection is gone, and a thread that watches would make the process a multi-threaded one, in which the
/// allocator and others are slower.
#[cfg(target_os = "linux")]
pub(super) fn die_with_parent() {
    use std::ffi::{c_int, c_ulong};
    #[expect(unsafe_code, reason = "the standard library has no such call, and links the C library anyway")]
    unsafe extern "C" {
        fn prctl(option: c_int, ...) -> c_int;
    }
    const PR_SET_PDEATHSIG: c_int = 1;
    const SIGKILL: c_ulong = 9;
    // SAFETY: the declaration is that of the C library; the call sets a number in the kernel and touches no memory.
    #[expect(unsafe_code, reason = "see above")]
    unsafe {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
}

/// There is no such thing here: a benchmark that never returns may outlive a run that is killed outright.
#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent() {}
