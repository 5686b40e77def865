//! A barrier at which threads spin, so that they start their clocks together.

use crate::time::{Clock, Ticks};
use std::any::Any;
use std::hint;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::thread;

/// Number of spins before a waiting thread yields its core: a few microseconds, in which a started
/// thread arrives if a core is free.
const SPINS_BEFORE_YIELD: u32 = 2_000;

/// A reusable barrier. Waiting threads spin instead of sleeping, because waking a thread takes
/// several microseconds in which the others would run alone.
#[derive(Debug)]
pub(super) struct SpinBarrier {
    clock: Clock,
    threads: usize,
    arrived: AtomicUsize,
    /// Number of times that all threads have passed.
    generation: AtomicUsize,
    state: AtomicU8,
}

/// All threads are still running.
const RUNNING: u8 = 0;
/// A thread has finished: the others no longer wait for it.
const FINISHED: u8 = 1;
/// A thread has panicked: the others stop, too.
const PANICKED: u8 = 2;

/// The panic payload of a thread that stops because another one has panicked.
struct StoppedByPanic;

impl SpinBarrier {
    pub(super) fn new(threads: usize, clock: Clock) -> SpinBarrier {
        SpinBarrier {
            clock,
            threads,
            arrived: AtomicUsize::new(0),
            generation: AtomicUsize::new(0),
            state: AtomicU8::new(RUNNING),
        }
    }

    /// Waits until all threads have arrived. Returns the time spent waiting.
    pub(super) fn wait(&self) -> Ticks {
        let start = self.clock.start();
        self.wait_for_all();
        self.clock.end().since(start)
    }

    fn wait_for_all(&self) {
        let generation = self.generation.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.generation.store(generation + 1, Ordering::Release);
            return;
        }
        let mut spins = 0;
        while self.generation.load(Ordering::Acquire) == generation {
            match self.state.load(Ordering::Relaxed) {
                RUNNING => {}
                FINISHED => return,
                // Does not call the panic hook: the thread that panicked has printed its message.
                _ => resume_unwind(Box::new(StoppedByPanic)),
            }
            if spins < SPINS_BEFORE_YIELD {
                spins += 1;
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
    }
}

/// Notifies the other threads when a thread finishes or panics, so that they don't wait for it
/// forever.
struct BarrierGuard<'a>(&'a SpinBarrier);

impl Drop for BarrierGuard<'_> {
    fn drop(&mut self) {
        let state = if thread::panicking() { PANICKED } else { FINISHED };
        self.0.state.fetch_max(state, Ordering::Relaxed);
    }
}

/// Runs `work` for each of `items` on a separate thread, all at once. The barrier has to be made
/// for that number of threads. Continues the first panic after all threads have ended.
pub(super) fn run_at_once<T: Send>(barrier: &SpinBarrier, items: &mut [T], work: &(dyn Fn(&mut T) + Sync)) {
    let panic = thread::scope(|scope| {
        let mut threads = Vec::new();
        for item in items {
            let guard = BarrierGuard(barrier);
            threads.push(scope.spawn(move || {
                // Moved into the thread, so that a panic drops it there.
                let _guard = guard;
                work(item);
            }));
        }
        let mut panic: Option<Box<dyn Any + Send>> = None;
        for thread in threads {
            let payload = thread.join().err();
            // Prefers the panic that stopped the other threads, because it has a message.
            if panic.as_ref().is_none_or(|panic| panic.is::<StoppedByPanic>()) {
                panic = payload.or(panic);
            }
        }
        panic
    });
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}
