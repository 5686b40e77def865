//! The place of the timed loops in memory.
//!
//! A loop of a few instructions that crosses a border between cache lines may take twice as long,
//! and where a linker puts it changes with every edit. So the timed loops start at a border.
//! Everything that is inlined into them then has a fixed place, too.

/// Makes the code that follows start at a border between cache lines: the function, wherever the
/// linker puts it, keeps its place within a line.
#[inline(always)]
pub(super) fn align_following_code() {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    // SAFETY: a directive of the assembler, which only inserts instructions that do nothing.
    #[expect(unsafe_code, reason = "stable Rust has no attribute that aligns code")]
    unsafe {
        std::arch::asm!(".p2align 6", options(nomem, nostack, preserves_flags));
    }
}
