//! The place of the timed loops in memory.
//!
//! A loop of a few instructions that crosses a cache-line boundary may take twice as long, and the
//! linker's choice of its place changes with every edit. So the timed loops start at a boundary.
//! Everything that is inlined into them then has a fixed place, too.

/// Makes the code that follows start at a cache-line boundary. The function keeps its place within
/// a line, wherever the linker puts it.
#[inline(always)]
pub(super) fn align_following_code() {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    // SAFETY: a directive of the assembler, which only inserts instructions that do nothing.
    #[expect(unsafe_code, reason = "stable Rust has no attribute that aligns code")]
    unsafe {
        std::arch::asm!(".p2align 6", options(nomem, nostack, preserves_flags));
    }
}
