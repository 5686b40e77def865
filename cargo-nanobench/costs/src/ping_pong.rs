//! A thread that answers: the partner of benchmarks that measure the way to another thread.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// A way to wait for the other side and to answer it.
pub(crate) trait Signal: Default + Send + Sync + 'static {
    /// Waits until the turn is no longer `seen`, and returns it.
    fn wait_beyond(&self, seen: u64) -> u64;

    /// Sets the turn.
    fn set(&self, turn: u64);
}

/// A thread that answers each signal.
pub(crate) struct PingPong<S: Signal> {
    to: Arc<S>,
    back: Arc<S>,
    turn: u64,
    thread: Option<JoinHandle<()>>,
    signal: PhantomData<S>,
}

/// The turn that ends the thread.
const END: u64 = u64::MAX;

impl<S: Signal> PingPong<S> {
    pub(crate) fn start() -> Self {
        let (to, back) = (Arc::new(S::default()), Arc::new(S::default()));
        let (inbox, outbox) = (Arc::clone(&to), Arc::clone(&back));
        let thread = thread::spawn(move || {
            let mut seen = 0;
            while seen != END {
                seen = inbox.wait_beyond(seen);
                outbox.set(seen);
            }
        });
        Self { to, back, turn: 0, thread: Some(thread), signal: PhantomData }
    }

    /// Sends a signal and waits for the answer, `count` times.
    pub(crate) fn exchange(&mut self, count: u64) {
        for _ in 0..count {
            let seen = self.turn;
            self.turn += 1;
            self.to.set(self.turn);
            self.back.wait_beyond(seen);
        }
    }
}

impl<S: Signal> Drop for PingPong<S> {
    fn drop(&mut self) {
        self.to.set(END);
        if let Some(thread) = self.thread.take() {
            // It only fails if the thread has panicked.
            let _ = thread.join();
        }
    }
}

/// Reads a shared cache line in a loop. Gives its core away now and then, for machines with one.
#[derive(Default)]
pub(crate) struct Spinning(AtomicU64);

impl Signal for Spinning {
    fn wait_beyond(&self, seen: u64) -> u64 {
        let mut spins = 0_u32;
        loop {
            let turn = self.0.load(Ordering::Acquire);
            if turn != seen {
                return turn;
            }
            spins += 1;
            if spins.is_multiple_of(10_000) {
                thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }

    fn set(&self, turn: u64) {
        self.0.store(turn, Ordering::Release);
    }
}

/// Sleeps on a condition variable.
#[derive(Default)]
pub(crate) struct Sleeping {
    turn: Mutex<u64>,
    changed: Condvar,
}

impl Signal for Sleeping {
    fn wait_beyond(&self, seen: u64) -> u64 {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = self.changed.wait_while(turn, |turn| *turn == seen);
        *turn.unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, turn: u64) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = turn;
        self.changed.notify_one();
    }
}
