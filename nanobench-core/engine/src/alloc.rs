//! The counting allocator, and the size of a value on the heap.

use crate::model::Allocations;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// A global allocator that can count, around another allocator.
///
/// With it, `cargo nanobench` reports for each benchmark how often it allocates, how many bytes,
/// and the largest number of bytes that it holds at a time:
///
/// ```
/// use nanobench::Alloc;
///
/// #[global_allocator]
/// static ALLOC: Alloc = Alloc::system();
/// ```
///
/// To count another allocator's work: `static ALLOC: Alloc<Other> = Alloc::new(Other);`.
///
/// Calls are counted or timed, never both. While nothing is counted, each call of the allocator
/// costs one additional load of a variable.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alloc<A = System>(A);

impl Alloc {
    /// Wraps the allocator of the operating system.
    pub const fn system() -> Alloc {
        Alloc(System)
    }
}

impl<A> Alloc<A> {
    /// Wraps `allocator`.
    pub const fn new(allocator: A) -> Alloc<A> {
        Alloc(allocator)
    }
}

/// Number of active counts, of [`start_tally`] and of [`heap_size_of`]. Nothing is counted while
/// this is zero.
static COUNTING: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all calls go to the inner allocator, which keeps the contract. Counting doesn't touch
// their memory, doesn't allocate and doesn't unwind.
#[expect(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait")]
unsafe impl<A: GlobalAlloc> GlobalAlloc for Alloc<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the inner allocator.
        let block = unsafe { self.0.alloc(layout) };
        if COUNTING.load(Relaxed) != 0 {
            record_allocation(block, layout.size());
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the inner allocator.
        let block = unsafe { self.0.alloc_zeroed(layout) };
        if COUNTING.load(Relaxed) != 0 {
            record_allocation(block, layout.size());
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of the inner allocator.
        unsafe { self.0.dealloc(block, layout) };
        if COUNTING.load(Relaxed) != 0 {
            record_deallocation(layout.size());
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the inner allocator.
        let moved = unsafe { self.0.realloc(block, layout, size) };
        if COUNTING.load(Relaxed) != 0 {
            record_reallocation(moved, layout.size(), size);
        }
        moved
    }
}

/// Number of active tallies. The tally is kept while this is not zero.
static TALLYING: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static DEALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static REALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
/// Bytes held beyond those at the beginning of the iteration. Negative if earlier blocks have been
/// freed.
static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// Bytes that this thread has allocated and not freed since a [`RetainedBytes`] was started.
    static RETAINED: Cell<Option<i64>> = const { Cell::new(None) };
}

/// Records an allocation, unless `block` is null because it has failed.
#[cold]
fn record_allocation(block: *mut u8, size: usize) {
    if block.is_null() {
        return;
    }
    if TALLYING.load(Relaxed) != 0 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(size as u64, Relaxed);
    }
    add_held_bytes(size as i64);
}

#[cold]
fn record_deallocation(size: usize) {
    if TALLYING.load(Relaxed) != 0 {
        DEALLOCATIONS.fetch_add(1, Relaxed);
    }
    add_held_bytes(-(size as i64));
}

/// Records a reallocation, unless `block` is null because it has failed.
#[cold]
fn record_reallocation(block: *mut u8, from: usize, to: usize) {
    if block.is_null() {
        return;
    }
    if TALLYING.load(Relaxed) != 0 {
        REALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(to.saturating_sub(from) as u64, Relaxed);
    }
    add_held_bytes(to as i64 - from as i64);
}

fn add_held_bytes(bytes: i64) {
    if TALLYING.load(Relaxed) != 0 {
        PEAK.fetch_max(HELD.fetch_add(bytes, Relaxed) + bytes, Relaxed);
    }
    // Fails for a thread that is ending, whose variables are gone.
    _ = RETAINED.try_with(|retained| retained.set(retained.get().map(|held| held + bytes)));
}

/// Starts to count the calls of all threads.
pub(crate) fn start_tally() {
    TALLYING.fetch_add(1, Relaxed);
    COUNTING.fetch_add(1, Relaxed);
}

/// Stops counting.
pub(crate) fn stop_tally() {
    COUNTING.fetch_sub(1, Relaxed);
    TALLYING.fetch_sub(1, Relaxed);
}

/// Starts an iteration, whose peak is counted from the bytes held now.
pub(crate) fn begin_iteration() {
    HELD.store(0, Relaxed);
}

/// Returns the counts so far.
pub(crate) fn tally() -> Allocations {
    Allocations {
        allocations: ALLOCATIONS.load(Relaxed),
        deallocations: DEALLOCATIONS.load(Relaxed),
        reallocations: REALLOCATIONS.load(Relaxed),
        bytes: BYTES.load(Relaxed),
        peak: u64::try_from(PEAK.load(Relaxed)).unwrap_or(0),
    }
}

/// Sets the counts from which counting continues.
pub(crate) fn set_tally(tally: Allocations) {
    ALLOCATIONS.store(tally.allocations, Relaxed);
    DEALLOCATIONS.store(tally.deallocations, Relaxed);
    REALLOCATIONS.store(tally.reallocations, Relaxed);
    BYTES.store(tally.bytes, Relaxed);
    PEAK.store(i64::try_from(tally.peak).unwrap_or(i64::MAX), Relaxed);
}

/// Returns whether the global allocator is an [`Alloc`].
pub(crate) fn is_installed() -> bool {
    retained_by(|| black_box(Box::new(0_u64))) != 0
}

/// Returns the number of bytes on the heap that the value of `make` holds: the requested sizes of
/// all blocks that `make` allocates and doesn't free.
///
/// Blocks from before the call that `make` frees are subtracted. A closure that turns a vector from
/// outside into a set, for example, returns the size of the set less that of the vector. So let
/// `make` create everything itself, or borrow it.
///
/// Only calls of this thread count. Other threads don't disturb the result, but neither are the
/// blocks counted that `make` allocates on other threads.
///
/// Needs an [`Alloc`] as the global allocator:
///
/// ```
/// use nanobench::{Alloc, heap_size_of};
///
/// #[global_allocator]
/// static ALLOC: Alloc = Alloc::system();
///
/// assert_eq!(heap_size_of(|| vec![0_u64; 100]), 800);
/// assert_eq!(heap_size_of(|| [0_u64; 100]), 0);
/// ```
///
/// # Panics
/// Panics if the global allocator is not an [`Alloc`], if `make` panics, or if `make` frees more
/// bytes than its value holds.
#[track_caller]
pub fn heap_size_of<T>(make: impl FnOnce() -> T) -> usize {
    assert!(
        is_installed(),
        "heap_size_of needs the counting allocator; write at the top of this file or of main.rs:\n\n    \
         #[global_allocator]\n    static ALLOC: nanobench::Alloc = nanobench::Alloc::system();\n"
    );
    let retained = retained_by(make);
    usize::try_from(retained).unwrap_or_else(|_| {
        panic!(
            "heap_size_of: the closure freed {} bytes more than its value holds, in blocks from before the call; \
             create these inside the closure, or borrow them",
            -retained
        )
    })
}

/// Returns the number of bytes that this thread holds with the value of `make`, beyond those it
/// held before.
fn retained_by<T>(make: impl FnOnce() -> T) -> i64 {
    let counter = RetainedBytes::start();
    let value = black_box(make());
    let retained = counter.get();
    drop(counter);
    drop(value);
    retained
}

/// A counter of the bytes that this thread allocates and doesn't free. Counters nest.
struct RetainedBytes {
    /// Count of the outer counter, if there is one.
    outer: Option<i64>,
}

impl RetainedBytes {
    fn start() -> RetainedBytes {
        let outer = RETAINED.replace(Some(0));
        COUNTING.fetch_add(1, Relaxed);
        RetainedBytes { outer }
    }

    fn get(&self) -> i64 {
        RETAINED.get().unwrap_or(0)
    }
}

impl Drop for RetainedBytes {
    fn drop(&mut self) {
        COUNTING.fetch_sub(1, Relaxed);
        // The outer counter counts these bytes, too.
        RETAINED.set(self.outer.map(|outer| outer + self.get()));
    }
}
