//! Values that threads make before they are needed.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// A value that a thread is making. If nobody takes it, it is awaited and dropped, so that a folder
/// is deleted.
#[derive(Debug)]
pub(super) struct Early<T>(Mutex<Option<JoinHandle<T>>>);

impl<T: Send + 'static> Early<T> {
    pub(super) fn start(make: impl FnOnce() -> T + Send + 'static) -> Early<T> {
        Early(Mutex::new(Some(thread::spawn(make))))
    }
}

impl<T> Early<T> {
    /// Waits for the value. `None` if it was taken before, or never started.
    pub(super) fn take(&self) -> Option<T> {
        let thread = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        thread.and_then(|thread| thread.join().ok())
    }
}

impl<T> Default for Early<T> {
    fn default() -> Early<T> {
        Early(Mutex::default())
    }
}

impl<T> Drop for Early<T> {
    fn drop(&mut self) {
        self.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_value_is_taken_once() {
        let early = Early::start(|| 3);
        assert_eq!((early.take(), early.take()), (Some(3), None));
        assert_eq!(Early::<u8>::default().take(), None);
    }

    #[test]
    fn a_value_that_nobody_takes_is_dropped() {
        let value = Arc::new(());
        let early = Early::start({
            let value = Arc::clone(&value);
            move || value
        });
        drop(early);
        assert_eq!(Arc::strong_count(&value), 1);
    }
}
