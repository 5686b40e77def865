//! The size of the largest cache of this machine.

/// Size if the operating system doesn't report it, in bytes: larger than most caches that a core
/// can use.
const FALLBACK_SIZE: u64 = 32 << 20;

/// Returns the size of the largest cache that the first processor uses, in bytes.
#[cfg(target_os = "linux")]
pub(super) fn last_level_size() -> u64 {
    // Caches are numbered without gaps.
    let size = |cache: u32| {
        std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{cache}/size")).ok()
    };
    let mut largest = 0;
    for cache in 0.. {
        let Some(size) = size(cache) else { break };
        largest = largest.max(parse_size(&size).unwrap_or(0));
    }
    if largest > 0 { largest } else { FALLBACK_SIZE }
}

/// Returns the size of the largest cache, in bytes. Other operating systems would each need
/// different calls.
#[cfg(not(target_os = "linux"))]
pub(super) fn last_level_size() -> u64 {
    FALLBACK_SIZE
}

/// Parses a size as the kernel writes it: `1024K`, `36M`, or bytes.
#[cfg(any(target_os = "linux", test))]
fn parse_size(size: &str) -> Option<u64> {
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
    fn sizes_are_parsed_as_the_kernel_writes_them() {
        assert_eq!(parse_size("32768K\n"), Some(32 << 20));
        assert_eq!(parse_size("36M"), Some(36 << 20));
        assert_eq!(parse_size("512"), Some(512));
        assert_eq!((parse_size(""), parse_size("K"), parse_size("many")), (None, None, None));
    }
}
