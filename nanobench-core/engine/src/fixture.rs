//! Values that are created once per process and shared by benchmarks.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

type Shared = &'static (dyn Any + Send + Sync);

/// Returns the value of `make`, which is called only once in the life of the process. All calls
/// with the same function return the same value.
///
/// Use it for values that are expensive to create and never change, such as a large input that many
/// benchmarks search. The value is created by the first call. Call this in `setup`, or write
/// `fixture = haystack` in the attribute, to have that outside the timing.
///
/// ```
/// use nanobench::nanobench;
///
/// fn haystack() -> Vec<u64> {
///     (0..1_000_000).collect()
/// }
///
/// #[nanobench(setup = || nanobench::fixture(haystack))]
/// fn search(haystack: &'static Vec<u64>) -> bool {
///     haystack.binary_search(&71).is_ok()
/// }
/// ```
///
/// `make` has to be a function, or a closure without captures, since it is identified by its type.
/// Anything else is a compile-time error.
///
/// # Panics
/// Panics if `make` does. The next call tries again.
pub fn fixture<T, F>(make: F) -> &'static T
where
    F: Fn() -> T + 'static,
    T: Send + Sync + 'static,
{
    const {
        assert!(size_of::<F>() == 0, "a fixture needs a function, or a closure without captures");
    }
    let value = cell(&make).get_or_init(|| Box::leak(Box::new(make())) as Shared);
    value.downcast_ref().expect("the type of a function determines the type of its value")
}

/// Returns the cell of the value of a function. The table is not locked while a value is created,
/// so that one fixture can use another. The type of the function is in a vtable: as a constant, its
/// hash would be a part of each benchmark's code, and change with the version of the package.
#[inline(never)]
fn cell(function: &dyn Any) -> &'static OnceLock<Shared> {
    static CELLS: Mutex<Option<HashMap<TypeId, &'static OnceLock<Shared>>>> = Mutex::new(None);
    let mut cells = CELLS.lock().unwrap_or_else(PoisonError::into_inner);
    cells.get_or_insert_default().entry(function.type_id()).or_insert_with(|| Box::leak(Box::default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn values_are_created_once_for_all_threads() {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        fn number() -> usize {
            CALLS.fetch_add(1, Ordering::Relaxed)
        }
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(*fixture(number), 0));
            }
        });
        assert!(std::ptr::eq(fixture(number), fixture(number)));
        assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn functions_of_the_same_type_differ_and_can_use_each_other() {
        fn one() -> u64 {
            1
        }
        fn two() -> u64 {
            fixture(one) + 1
        }
        assert_eq!((fixture(two), fixture(one), fixture(|| 3_u64)), (&2, &1, &3));
    }
}
