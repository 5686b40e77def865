//! Running a benchmark that may panic.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

/// Where the last panic happened. It may have been on a thread that runs a part of the work.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Replaces what is kept.
fn exchange(place: Option<String>) -> Option<String> {
    std::mem::replace(&mut *PLACE.lock().unwrap_or_else(PoisonError::into_inner), place)
}

thread_local! {
    /// Whether a panic of this thread is said by who asked for the work, and only there.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Makes panics remember where they happened, beside what the hook that was there before does.
pub(super) fn remember_places() {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        exchange(info.location().map(ToString::to_string));
        if !QUIET.get() {
            previous(info);
        }
    }));
}

/// [`guarded`], for what each process does when it starts, whichever rows it is to run: a panic is a word beside its row, and else
/// nothing is printed of it.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    QUIET.set(true);
    let done = guarded(work);
    QUIET.set(false);
    done
}

/// Runs `work`. A panic becomes `panicked at <place>: <message>`.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // One that the work before has caught itself says nothing of this.
    exchange(None);
    // What `work` leaves half-done is the benchmark's own: the harness shares nothing with it.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| described(payload.as_ref()))
}

fn described(payload: &(dyn Any + Send)) -> String {
    let message = message(payload).unwrap_or("something that is not text");
    let place = exchange(None).map_or_else(String::new, |place| format!(" at {place}"));
    // What tokio says of its sleeps and sockets outside of its runtime.
    let without_runtime = message.contains("context of a Tokio");
    let hint = if without_runtime { ": say which, `runtime = ..` in the attribute" } else { "" };
    format!("panicked{place}: {message}{hint}")
}

fn message(payload: &(dyn Any + Send)) -> Option<&str> {
    payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_for_want_of_a_runtime_says_how_to_name_one() {
        let of = |message: &'static str| guarded(|| panic!("{message}")).unwrap_err();
        let tokio = "there is no reactor running, must be called from the context of a Tokio 1.x runtime";
        assert!(of(tokio).ends_with("runtime: say which, `runtime = ..` in the attribute"), "{}", of(tokio));
        assert!(of("boom").ends_with(": boom"));
    }
}
