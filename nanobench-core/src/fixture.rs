//! Values that are made once per process and shared by benchmarks.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

type Shared = &'static (dyn Any + Send + Sync);

/// The value that `make` makes: once in the life of the process, and the same for all who ask with the same function.
///
/// For what is expensive to make and only looked at, such as a large input that many benchmarks search. It is made when
/// it is first asked for; ask in `setup`, or name it as `fixture = haystack`, to have that outside the timing.
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
/// `make` is a function or a closure that captures nothing, as it is known by its type; anything else is an error of
/// compilation.
///
/// # Panics
/// Where `make` does; the next call tries again.
pub fn fixture<T, F>(make: F) -> &'static T
where
    F: Fn() -> T + 'static,
    T: Send + Sync + 'static,
{
    const {
        assert!(
            size_of::<F>() == 0,
            "a fixture is made by a function, or by a closure that captures nothing"
        );
    }
    let made = place(TypeId::of::<F>()).get_or_init(|| Box::leak(Box::new(make())) as Shared);
    made.downcast_ref().expect("the type of a function tells the type of what it makes")
}

/// Where the value of a function is, or will be. The table is not locked while a value is made, so that one fixture may
/// use another.
fn place(function: TypeId) -> &'static OnceLock<Shared> {
    static PLACES: Mutex<Option<HashMap<TypeId, &'static OnceLock<Shared>>>> = Mutex::new(None);
    let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    places.get_or_insert_default().entry(function).or_insert_with(|| Box::leak(Box::default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn is_made_once_for_all_threads() {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        fn number() -> usize {
            MADE.fetch_add(1, Ordering::Relaxed)
        }
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(*fixture(number), 0));
            }
        });
        assert!(std::ptr::eq(fixture(number), fixture(number)));
        assert_eq!(MADE.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn functions_of_one_result_are_different_and_may_use_one_another() {
        fn one() -> u64 {
            1
        }
        fn two() -> u64 {
            fixture(one) + 1
        }
        assert_eq!((fixture(two), fixture(one), fixture(|| 3_u64)), (&2, &1, &3));
    }
}
