//! Runs code that may panic.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

/// The location of the last panic, which may have happened on another thread of the same work.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Replaces the location of the last panic, and returns the previous one.
fn replace_place(place: Option<String>) -> Option<String> {
    std::mem::replace(&mut *PLACE.lock().unwrap_or_else(PoisonError::into_inner), place)
}

thread_local! {
    /// Set while the panics of this thread are not printed, but only returned.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Installs a panic hook that stores the location of a panic, and calls the previous hook.
pub(super) fn remember_places() {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        replace_place(info.location().map(ToString::to_string));
        if !QUIET.get() {
            previous(info);
        }
    }));
}

/// Runs `work` like [`guarded`], but prints no panic: it is shown with the row.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    QUIET.set(true);
    let done = guarded(work);
    QUIET.set(false);
    done
}

/// Runs `work`. A panic becomes `panicked at <place>: <message>`.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let (mut work, mut value) = (Some(work), None);
    let panic = caught(&mut || value = work.take().map(|work| work()));
    value.ok_or(panic)
}

/// Runs `work`. Returns the description of its panic, or nothing. The code around a call that may
/// panic takes long to compile, so there is only one such call.
fn caught(work: &mut dyn FnMut()) -> String {
    // Earlier work may have caught its own panic.
    replace_place(None);
    // A panic can only break the benchmark's own state, because the harness shares none with it.
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(()) => String::new(),
        Err(payload) => describe(payload.as_ref()),
    }
}

fn describe(payload: &(dyn Any + Send)) -> String {
    let message = message(payload).unwrap_or("something that is not text");
    let place = replace_place(None).map_or_else(String::new, |place| format!(" at {place}"));
    // The message of tokio outside its runtime.
    // A search for the words as a whole would take longer to compile.
    let without_runtime = message.ends_with("runtime") && message.split(' ').any(|word| word == "Tokio");
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
    fn a_panic_without_a_runtime_explains_how_to_set_one() {
        let of = |message: &'static str| guarded(|| panic!("{message}")).unwrap_err();
        let tokio = "there is no reactor running, must be called from the context of a Tokio 1.x runtime";
        assert!(of(tokio).ends_with("runtime: say which, `runtime = ..` in the attribute"), "{}", of(tokio));
        assert!(of("boom").ends_with(": boom"));
    }
}
