//! Code that replaces the content of the instruction caches and of the branch predictors.

/// Repeats the code below 4,096 times. At about 32 bytes each, that is twice the largest
/// instruction cache of a core (64 KiB). At two branches each, it has more branches than a core
/// remembers of most programs. The assembler repeats it, so it takes no time to compile, but 128
/// KiB of the executable.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
macro_rules! repeat {
    () => {
        ".rept 4096"
    };
}

/// Runs the code. The branches that are taken depend on `seed`, at random. Returns the next seed.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
pub(super) fn run(seed: u64) -> u64 {
    let mut x = seed;
    // SAFETY: computes with registers, and jumps forward within itself.
    #[expect(unsafe_code, reason = "functions of Rust that fill as much code would take seconds to compile")]
    unsafe {
        std::arch::asm!(
            repeat!(),
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

/// Runs the code. The branches that are taken depend on `seed`, at random. Returns the next seed.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
pub(super) fn run(seed: u64) -> u64 {
    let mut x = seed;
    // SAFETY: computes with registers, and jumps forward within itself.
    #[expect(unsafe_code, reason = "functions of Rust that fill as much code would take seconds to compile")]
    unsafe {
        std::arch::asm!(
            repeat!(),
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

/// Does nothing: there is no such code for this architecture.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(super) fn run(seed: u64) -> u64 {
    seed
}

#[cfg(test)]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod tests {
    use super::*;

    #[test]
    fn other_seeds_take_other_branches() {
        assert_ne!(run(1), run(2));
        assert_ne!(run(run(1)), run(1));
    }
}
