//! Threads beside the benchmark.

use crate::kind::kinds;
use crate::work;
use std::cell::Cell;
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

kinds!(contended_lock, thread_local_destructor, busy_threads);

/// Takes a lock that another thread holds for two of ten milliseconds; without the change, it holds
/// another lock.
#[inline(always)]
fn contended_lock<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static LOCK: Mutex<()> = Mutex::new(());
    static OTHER: Mutex<()> = Mutex::new(());
    static START: Once = Once::new();
    START.call_once(|| {
        let lock = if CHANGED { &LOCK } else { &OTHER };
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(8));
                let _held = lock.lock().unwrap_or_else(PoisonError::into_inner);
                thread::sleep(Duration::from_millis(2));
            }
        });
    });
    let _held = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    work(100)
}

/// Ends a thread whose local value takes longer to drop.
#[inline(always)]
fn thread_local_destructor<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    struct Local(Cell<u64>);
    impl Drop for Local {
        fn drop(&mut self) {
            work(self.0.get());
        }
    }
    thread_local!(static LOCAL: Local = const { Local(Cell::new(1)) });
    // Unlike a scope, `join` waits for the destructor.
    let thread = thread::spawn(|| LOCAL.with(|local| local.0.set(if CHANGED { 10_000 } else { 500 })));
    thread.join().expect("the thread ends");
    work(500)
}

/// Leaves two threads running that never rest.
#[inline(always)]
fn busy_threads<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static START: Once = Once::new();
    START.call_once(|| {
        for _ in 0..if CHANGED { 2 } else { 0 } {
            thread::spawn(|| {
                loop {
                    std::hint::black_box(1);
                }
            });
        }
    });
    work(100)
}
