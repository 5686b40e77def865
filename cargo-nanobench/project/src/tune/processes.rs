//! Settings of benchmark processes alone.

use std::path::Path;

/// Runs `start`, so that processes it starts have the memory layout of every other start. Does
/// nothing on other systems than Linux, or if a container forbids it.
#[cfg(target_os = "linux")]
pub fn with_fixed_layout<T>(start: impl FnOnce() -> T) -> T {
    use nix::sys::personality::{self, Persona};
    // A thread's personality is inherited by the processes that it starts.
    let before = personality::get();
    if let Ok(before) = before {
        let _ = personality::set(before | Persona::ADDR_NO_RANDOMIZE);
    }
    let started = start();
    if let Ok(before) = before {
        let _ = personality::set(before);
    }
    started
}

#[cfg(not(target_os = "linux"))]
pub fn with_fixed_layout<T>(start: impl FnOnce() -> T) -> T {
    start()
}

/// Returns the cores that the kernel keeps free of other programs (`isolcpus`). On Linux, their
/// list is a file below `root`.
pub fn isolated_cores(root: &Path) -> Vec<usize> {
    super::linux::isolated(root)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::personality::{self, Persona};
    use std::process::Command;

    /// Returns whether a new process says that its layout is fixed.
    fn is_fixed() -> bool {
        let output = Command::new("cat").arg("/proc/self/personality").output().unwrap();
        let flags = u32::from_str_radix(String::from_utf8(output.stdout).unwrap().trim(), 16).unwrap();
        flags & 0x0040000 != 0
    }

    #[test]
    fn only_processes_started_within_have_a_fixed_layout() {
        let before = is_fixed();
        // Containers may forbid it. A thread's personality ends with the thread.
        let set = || personality::set(Persona::ADDR_NO_RANDOMIZE).is_ok();
        let is_allowed = std::thread::spawn(set).join().unwrap();
        assert_eq!(with_fixed_layout(is_fixed), before || is_allowed);
        assert_eq!(is_fixed(), before);
    }
}
