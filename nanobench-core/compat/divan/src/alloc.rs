//! The allocator that counts.

use nanobench_engine::Alloc;
use std::alloc::{GlobalAlloc, Layout, System};

/// A global allocator that counts the allocations of each benchmark.
#[derive(Debug, Default)]
pub struct AllocProfiler<A = System>(Alloc<A>);

impl AllocProfiler {
    /// Counts those of the operating system's allocator.
    pub const fn system() -> Self {
        AllocProfiler(Alloc::system())
    }
}

impl<A> AllocProfiler<A> {
    /// Counts those of `alloc`.
    pub const fn new(alloc: A) -> Self {
        AllocProfiler(Alloc::new(alloc))
    }
}

// SAFETY: all calls go to the inner allocator, which keeps the contract.
#[expect(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait")]
unsafe impl<A: GlobalAlloc> GlobalAlloc for AllocProfiler<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the inner allocator.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the inner allocator.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of the inner allocator.
        unsafe { self.0.dealloc(block, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the inner allocator.
        unsafe { self.0.realloc(block, layout, size) }
    }
}
