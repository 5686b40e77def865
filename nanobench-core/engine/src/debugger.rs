//! Recognising an attached debugger.

/// Returns whether a debugger is attached to this process. False on systems that don't report it.
pub(crate) fn is_attached() -> bool {
    system::is_attached()
}

#[cfg(target_os = "linux")]
mod system {
    pub(super) fn is_attached() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
        tracer.is_some_and(|tracer| tracer.trim() != "0")
    }
}

#[cfg(windows)]
mod system {
    pub(super) fn is_attached() -> bool {
        #[expect(
            unsafe_code,
            reason = "the standard library has no such call, and links the system's library anyway"
        )]
        #[link(name = "kernel32")]
        unsafe extern "system" {
            fn IsDebuggerPresent() -> i32;
        }
        // SAFETY: the declaration is that of the system, and the function has no preconditions.
        #[expect(unsafe_code, reason = "a call of the system")]
        unsafe {
            IsDebuggerPresent() != 0
        }
    }
}

#[cfg(target_os = "macos")]
mod system {
    use std::ffi::{c_int, c_uint, c_void};
    use std::ptr;

    // From the system's <sys/sysctl.h> and <sys/proc.h>.
    const CTL_KERN: c_int = 1;
    const KERN_PROC: c_int = 14;
    const KERN_PROC_PID: c_int = 1;
    const P_TRACED: u32 = 0x800;
    /// The size of `struct kinfo_proc` on 64-bit systems, in words of 8 bytes.
    const SIZE: usize = 648 / 8;
    /// The place of `kp_proc.p_flag` in it, in such words: it is the lower half.
    const FLAGS: usize = 32 / 8;

    pub(super) fn is_attached() -> bool {
        #[expect(
            unsafe_code,
            reason = "the standard library has no such call, and links the C library anyway"
        )]
        unsafe extern "C" {
            fn sysctl(
                name: *mut c_int,
                names: c_uint,
                old: *mut c_void,
                old_size: *mut usize,
                new: *mut c_void,
                new_size: usize,
            ) -> c_int;
        }
        let Ok(id) = c_int::try_from(std::process::id()) else { return false };
        let mut name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, id];
        let mut process = [0_u64; SIZE];
        let mut size = size_of_val(&process);
        // SAFETY: the declaration is that of the C library; `name` has as many elements as it is
        // told, and the call writes at most `size` bytes to `process`.
        #[expect(unsafe_code, reason = "a call of the C library")]
        let failed = unsafe {
            sysctl(name.as_mut_ptr(), 4, process.as_mut_ptr().cast(), &mut size, ptr::null_mut(), 0)
        };
        failed == 0 && process[FLAGS] as u32 & P_TRACED != 0
    }
}

#[cfg(not(any(target_os = "linux", windows, target_os = "macos")))]
mod system {
    pub(super) fn is_attached() -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg_attr(miri, ignore = "calls the system")]
    fn asking_twice_gives_one_answer() {
        assert_eq!(super::is_attached(), super::is_attached());
    }
}
