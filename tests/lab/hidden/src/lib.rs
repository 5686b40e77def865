//! Changes that cost 15 % or more on average and that the typical sample of a benchmark doesn't
//! show, or that look like unchanged code.
//!
//! `lab/regressions.py` has the cost of each by design, and `truth` measures it by a plain mean.

mod events;
mod kind;
mod launches;
mod structure;
mod threads;

pub use events::*;
pub use launches::*;
pub use structure::*;
pub use threads::*;

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// True in builds with the changes.
pub const CHANGED: bool = cfg!(feature = "changed");

/// Multiplies for about 10 ns per unit. Each multiplication waits for the one before, across calls.
fn work(units: u64) -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(1);
    let product = (0..black_box(units)).fold(LAST.load(Relaxed), |x, _| work::chain::<10>(x));
    LAST.store(product, Relaxed);
    product
}

/// Counts calls, and returns true for each nth.
fn every(n: u64, calls: &AtomicU64) -> bool {
    (calls.fetch_add(1, Relaxed) + 1).is_multiple_of(n)
}

/// Invokes a macro with the names of all kinds that can share a process.
#[macro_export]
macro_rules! with_kinds {
    ($with:path) => {
        $with! {
            rare_flush, rarer_flush, fresh_pages, growing_map, eviction, expiring_table, phases, heavier_tail,
            cache_sweep, short_sleep, contended_lock,
            unlucky_seed_1_in_4, unlucky_seed_1_in_10, unlucky_address_1_in_4, slightly_unlucky_1_in_4,
            larger_constant, like_places_of_panics, switch_table, behind_table, behind_vtable, embedded_file,
            file, initialiser, thread_local_destructor
        }
    };
}
