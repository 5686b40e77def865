//! Replaces what the core remembers of code: the instruction caches, where branches go, and which are taken.

/// How often the piece of code below stands there: with some 32 bytes each, twice the largest instruction cache of a core
/// (64 KiB), and with two branches each, more of these than a core remembers of most programs. It is written by the
/// assembler, so that it costs no time to compile, and there are that many bytes of it in an executable.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! times {
    () => {
        ".rept 4096"
    };
}

/// Runs through it. Which branches are taken follows from `seed`, at random.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(super) fn run(seed: u64) -> u64 {
    let mut x = seed;
    // SAFETY: computes with registers, and jumps forward within itself.
    #[expect(unsafe_code, reason = "functions of Rust that fill as much code would take seconds to compile")]
    unsafe {
        std::arch::asm!(
            times!(),
            // A linear congruential generator.
            "imul {x}, {x}, 1566083941",
            "add {x}, 12345",
            "test {x}, {x}",
            "js 2f",
            "rol {x}, 7",
            "2:",
            "bt {x}, 37",
            "jc 3f",
            "rol {x}, 11",
            "3:",
            ".endr",
            x = inout(reg) x,
            options(nomem, nostack),
        );
    }
    x
}

/// Runs through it. Which branches are taken follows from `seed`, at random.
#[cfg(target_arch = "aarch64")]
#[inline(never)]
pub(super) fn run(seed: u64) -> u64 {
    let mut x = seed;
    // SAFETY: computes with registers, and jumps forward within itself.
    #[expect(unsafe_code, reason = "functions of Rust that fill as much code would take seconds to compile")]
    unsafe {
        std::arch::asm!(
            times!(),
            // A linear congruential generator.
            "mul {x}, {x}, {factor}",
            "add {x}, {x}, #1234",
            "tbz {x}, #63, 2f",
            "ror {x}, {x}, #7",
            "2:",
            "tbz {x}, #37, 3f",
            "ror {x}, {x}, #11",
            "3:",
            ".endr",
            x = inout(reg) x,
            factor = in(reg) 6_364_136_223_846_793_005_u64,
            options(nomem, nostack, pure),
        );
    }
    x
}

/// Instructions stay where they are: what replaces them is not known of this architecture.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn run(seed: u64) -> u64 {
    seed
}

#[cfg(test)]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod tests {
    use super::*;

    #[test]
    fn takes_other_ways_from_another_seed() {
        assert_ne!(run(1), run(2));
        assert_ne!(run(run(1)), run(1));
    }
}
