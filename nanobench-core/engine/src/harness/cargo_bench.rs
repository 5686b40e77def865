//! The line that plain `cargo bench` prints under the default harness, which measures none of the
//! benchmarks: it calls no test if it is given `--bench`, so only the end of the process is left.

use std::sync::atomic::{AtomicBool, Ordering};

/// True in a process whose `main` is not that of the default harness.
static HAS_OWN_MAIN: AtomicBool = AtomicBool::new(false);

/// Records that the process has a `main` of its own, with benchmarks that it may measure.
pub fn own_main_runs() {
    HAS_OWN_MAIN.store(true, Ordering::Relaxed);
}

/// Links the line into the executable.
pub(super) fn link() {
    #[cfg(all(
        any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple"),
        not(miri)
    ))]
    at_exit::link();
}

/// Prints the line at the end of the process. Elsewhere, it is missing.
#[cfg(all(
    any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple"),
    not(miri)
))]
mod at_exit {
    use super::{HAS_OWN_MAIN, Ordering};
    use crate::registry::Registered;
    use std::ffi::c_int;
    use std::hint::black_box;
    use std::io::Write as _;

    #[expect(unsafe_code, reason = "the standard library has no such call, and links the C library anyway")]
    unsafe extern "C" {
        safe fn atexit(callback: extern "C" fn()) -> c_int;
    }

    /// The system calls the functions of this section before `main`.
    #[expect(unsafe_code, reason = "no safe code runs in a process whose tests are not called")]
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func,mod_init_funcs"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static REGISTER: extern "C" fn() = {
        extern "C" fn register() {
            // If there is no room for a callback, the line is missing.
            _ = atexit(print);
        }
        register
    };

    /// The linker keeps the section if something refers to it.
    pub(super) fn link() {
        black_box(&REGISTER);
    }

    extern "C" fn print() {
        let (mut is_list, mut is_bench) = (false, false);
        for argument in std::env::args_os() {
            is_list |= argument == "--list";
            // Cargo's last argument.
            is_bench = argument == "--bench";
        }
        // A program that only calls `Bench` links this code, too, but has no marked functions.
        let has_entries = inventory::iter::<Registered>.into_iter().next().is_some();
        let is_default_harness = !HAS_OWN_MAIN.load(Ordering::Relaxed) && has_entries;
        if is_default_harness && is_bench && !is_list {
            // A panic here would abort the process. The comparison of machine code knows the length of
            // these bytes, but not of a format string.
            _ = std::io::stderr().write_all(
                b"nanobench: these benchmarks were not measured, because of cargo's default harness; run: cargo nanobench\n",
            );
        }
    }
}
