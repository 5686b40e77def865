//! How large the last cache of this machine is.

/// Where the operating system does not say: more than most have for one core.
const UNKNOWN: u64 = 32 << 20;

/// The size of the largest cache that the first processor has a part in, in bytes.
#[cfg(target_os = "linux")]
pub(super) fn of_last_level() -> u64 {
    // They have numbers, without a gap.
    let size = |cache: u32| {
        std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{cache}/size")).ok()
    };
    let mut largest = 0;
    for cache in 0.. {
        let Some(size) = size(cache) else { break };
        largest = largest.max(parsed(&size).unwrap_or(0));
    }
    if largest > 0 { largest } else { UNKNOWN }
}

/// Elsewhere it would take calls of its own to each operating system.
#[cfg(not(target_os = "linux"))]
pub(super) fn of_last_level() -> u64 {
    UNKNOWN
}

/// A size as the kernel writes it: `1024K`, `36M`, or bytes.
#[cfg(any(target_os = "linux", test))]
fn parsed(size: &str) -> Option<u64> {
    let size = size.trim();
    let (number, unit) = match size.char_indices().next_back()? {
        (end, 'K') => (&size[..end], 1 << 10),
        (end, 'M') => (&size[..end], 1 << 20),
        (end, 'G') => (&size[..end], 1 << 30),
        _ => (size, 1),
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_the_kernel_writes_them() {
        assert_eq!(parsed("32768K\n"), Some(32 << 20));
        assert_eq!(parsed("36M"), Some(36 << 20));
        assert_eq!(parsed("512"), Some(512));
        assert_eq!((parsed(""), parsed("K"), parsed("many")), (None, None, None));
    }
}
