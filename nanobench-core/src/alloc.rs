//! Counting what is asked of the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// An allocator that can be asked to count, around another one.
///
/// Where it is installed, `cargo nanobench` shows how often a benchmark allocates, how many bytes, and how many it holds
/// at most:
///
/// ```
/// use nanobench::Alloc;
///
/// #[global_allocator]
/// static ALLOC: Alloc = Alloc::system();
/// ```
///
/// Around another allocator: `static ALLOC: Alloc<Other> = Alloc::new(Other);`.
///
/// It counts only while it is asked to, in calls that are not timed. Otherwise it costs each call of the allocator
/// one look at a variable.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alloc<A = System>(A);

impl Alloc {
    /// Around the operating system's allocator.
    pub const fn system() -> Alloc {
        Alloc(System)
    }
}

impl<A> Alloc<A> {
    /// Around `allocator`.
    pub const fn new(allocator: A) -> Alloc<A> {
        Alloc(allocator)
    }
}

/// How many count now: of [`start`] and of [`heap_size_of`]. Nothing is counted while this is zero.
static COUNTING: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is done by the allocator within, which keeps the promises; counting touches no memory of theirs, does not
// allocate and does not unwind.
#[expect(unsafe_code, reason = "there is no other way to be an allocator")]
unsafe impl<A: GlobalAlloc> GlobalAlloc for Alloc<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let block = unsafe { self.0.alloc(layout) };
        if COUNTING.load(Relaxed) != 0 && !block.is_null() {
            allocated(layout.size());
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let block = unsafe { self.0.alloc_zeroed(layout) };
        if COUNTING.load(Relaxed) != 0 && !block.is_null() {
            allocated(layout.size());
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.dealloc(block, layout) };
        if COUNTING.load(Relaxed) != 0 {
            deallocated(layout.size());
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { self.0.realloc(block, layout, size) };
        if COUNTING.load(Relaxed) != 0 && !moved.is_null() {
            reallocated(layout.size(), size);
        }
        moved
    }
}

/// What was asked for while it was counted, by all threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// New blocks.
    pub(crate) allocations: u64,
    /// Blocks given back.
    pub(crate) deallocations: u64,
    /// Blocks grown or shrunk.
    pub(crate) reallocations: u64,
    /// Bytes of new blocks, and by which others grew.
    pub(crate) bytes: u64,
    /// The most bytes that were held at a time beyond those of the beginning of an iteration.
    pub(crate) peak: u64,
}

/// The tally of all threads is kept while this is not zero.
static TALLYING: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static DEALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static REALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
/// Bytes held beyond those of the beginning. Below zero where what was there before has been given back.
static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// Bytes that this thread holds beyond those of a beginning, while [`heap_size_of`] looks.
    static RETAINED: Cell<Option<i64>> = const { Cell::new(None) };
}

#[cold]
fn allocated(size: usize) {
    if TALLYING.load(Relaxed) != 0 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(size as u64, Relaxed);
    }
    holds_more(size as i64);
}

#[cold]
fn deallocated(size: usize) {
    if TALLYING.load(Relaxed) != 0 {
        DEALLOCATIONS.fetch_add(1, Relaxed);
    }
    holds_more(-(size as i64));
}

#[cold]
fn reallocated(from: usize, to: usize) {
    if TALLYING.load(Relaxed) != 0 {
        REALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(to.saturating_sub(from) as u64, Relaxed);
    }
    holds_more(to as i64 - from as i64);
}

fn holds_more(bytes: i64) {
    if TALLYING.load(Relaxed) != 0 {
        PEAK.fetch_max(HELD.fetch_add(bytes, Relaxed) + bytes, Relaxed);
    }
    // A thread that is ending has none any more.
    _ = RETAINED.try_with(|retained| retained.set(retained.get().map(|held| held + bytes)));
}

/// Counts what all threads do from now on.
pub(crate) fn start() {
    TALLYING.fetch_add(1, Relaxed);
    COUNTING.fetch_add(1, Relaxed);
}

/// Counts no longer.
pub(crate) fn stop() {
    COUNTING.fetch_sub(1, Relaxed);
    TALLYING.fetch_sub(1, Relaxed);
}

/// What is held now is the beginning of an iteration.
pub(crate) fn begin_iteration() {
    HELD.store(0, Relaxed);
}

/// What was counted until now.
pub(crate) fn tally() -> Tally {
    Tally {
        allocations: ALLOCATIONS.load(Relaxed),
        deallocations: DEALLOCATIONS.load(Relaxed),
        reallocations: REALLOCATIONS.load(Relaxed),
        bytes: BYTES.load(Relaxed),
        peak: u64::try_from(PEAK.load(Relaxed)).unwrap_or(0),
    }
}

/// Goes on from what was counted at another time.
pub(crate) fn set_tally(tally: Tally) {
    ALLOCATIONS.store(tally.allocations, Relaxed);
    DEALLOCATIONS.store(tally.deallocations, Relaxed);
    REALLOCATIONS.store(tally.reallocations, Relaxed);
    BYTES.store(tally.bytes, Relaxed);
    PEAK.store(i64::try_from(tally.peak).unwrap_or(i64::MAX), Relaxed);
}

/// Whether the program's allocator is an [`Alloc`].
pub(crate) fn is_installed() -> bool {
    retained_by(|| black_box(Box::new(0_u64))) != 0
}

/// How many bytes of the heap the value holds that `make` returns: all blocks that were allocated for it, and have not
/// been given back by then, at the sizes that were asked for.
///
/// Blocks from before that `make` gives back count against it: a vector that it takes in and turns into a set is both, less
/// one of them. So let it make the value of what it makes itself, or of what it borrows.
///
/// Counts what this thread does, so what other threads do meanwhile does not disturb it. What threads of `make` allocate is not
/// counted either: make a value on one thread to have its size. Needs an [`Alloc`]:
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
/// Where no [`Alloc`] is the global allocator, where `make` panics, and where it gives back more than its value holds.
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
            "heap_size_of: blocks from before were given back, {} bytes more than the value holds; let the closure make it of \
             what it makes itself, or of what it borrows",
            -retained
        )
    })
}

/// The bytes that this thread holds more after `make` than before, with what it returns.
fn retained_by<T>(make: impl FnOnce() -> T) -> i64 {
    let looking = Looking::start();
    let value = black_box(make());
    let retained = looking.retained();
    drop(looking);
    drop(value);
    retained
}

/// While it lives, this thread keeps account of what it holds.
struct Looking {
    /// What one that was there before had counted.
    before: Option<i64>,
}

impl Looking {
    fn start() -> Looking {
        let before = RETAINED.replace(Some(0));
        COUNTING.fetch_add(1, Relaxed);
        Looking { before }
    }

    fn retained(&self) -> i64 {
        RETAINED.get().unwrap_or(0)
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        COUNTING.fetch_sub(1, Relaxed);
        // All of what was held here is held for the one before, too.
        RETAINED.set(self.before.map(|before| before + self.retained()));
    }
}
