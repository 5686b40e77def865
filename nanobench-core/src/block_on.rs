//! A minimal executor for `async` benchmarks without a `runtime`.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// Wakes a thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Drives a future to its end on this thread, which sleeps while it waits.
pub fn block_on<F: Future>(future: F) -> F::Output {
    thread_local!(static WAKER: Waker = Arc::new(Unpark(thread::current())).into());
    // One waker per thread, so that a call costs no allocation.
    WAKER.with(|waker| {
        let mut future = pin!(future);
        let mut context = Context::from_waker(waker);
        loop {
            match future.as_mut().poll(&mut context) {
                Poll::Ready(output) => return output,
                Poll::Pending => thread::park(),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    #[test]
    fn waits_for_a_wake_from_another_thread() {
        let mut polls = 0;
        let output = block_on(poll_fn(|context| {
            polls += 1;
            if polls == 3 {
                return Poll::Ready(polls);
            }
            let waker = context.waker().clone();
            thread::spawn(move || waker.wake());
            Poll::Pending
        }));
        assert_eq!(output, 3);
    }

    #[test]
    fn can_be_called_within_itself() {
        assert_eq!(block_on(async { block_on(async { 7 }) }), 7);
    }
}
