//! Sharing between threads.
//!
//! The values are used through references that the compiler knows nothing about. It may remove
//! writes to an atomic that no other thread can reach.

use crate::ping_pong::{PingPong, Sleeping};
use nanobench::nanobench;
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::thread;

/// Reading an atomic with `Relaxed`: an ordinary load.
#[nanobench(name = "atomic load, Relaxed")]
fn load(count: u64) -> u64 {
    let number = AtomicU64::new(1);
    let number = black_box(&number);
    (0..count).fold(0, |x, _| x ^ number.load(Ordering::Relaxed))
}

/// Writing an atomic with `Release`: an ordinary store on x86-64.
#[nanobench(name = "atomic store, Release")]
fn store_release(count: u64) {
    let number = AtomicU64::new(1);
    let number = black_box(&number);
    (0..count).for_each(|n| number.store(n, Ordering::Release));
}

/// Writing an atomic with `SeqCst`, after which later loads have to wait for the store.
#[nanobench(name = "atomic store, SeqCst")]
fn store_seq_cst(count: u64) {
    let number = AtomicU64::new(1);
    let number = black_box(&number);
    (0..count).for_each(|n| number.store(n, Ordering::SeqCst));
}

/// Adding to an atomic with `Relaxed`, which is no cheaper on x86-64.
#[nanobench(name = "atomic fetch_add, Relaxed")]
fn add_relaxed(count: u64) {
    let number = AtomicU64::new(1);
    let number = black_box(&number);
    (0..count).for_each(|n| _ = number.fetch_add(n, Ordering::Relaxed));
}

/// Adding to an atomic with `SeqCst`.
#[nanobench(name = "atomic fetch_add, SeqCst")]
fn add_seq_cst(count: u64) {
    let number = AtomicU64::new(1);
    let number = black_box(&number);
    (0..count).for_each(|n| _ = number.fetch_add(n, Ordering::SeqCst));
}

/// Replacing the expected value, successfully.
#[nanobench(name = "atomic compare_exchange")]
fn compare_exchange(count: u64) {
    let number = AtomicU64::new(0);
    let number = black_box(&number);
    for n in 0..count {
        _ = number.compare_exchange(n, n + 1, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// Two threads that add to the same atomic: the time of each.
#[nanobench(name = "atomic fetch_add, by two threads", threads = 2)]
fn add_contended(count: u64) {
    static SHARED: AtomicU64 = AtomicU64::new(0);
    (0..count).for_each(|n| _ = SHARED.fetch_add(n, Ordering::Relaxed));
}

/// Locking and unlocking a mutex that nobody else wants.
#[nanobench(name = "Mutex, lock and unlock")]
fn mutex(count: u64) -> Mutex<u64> {
    let number = black_box(Mutex::new(0));
    (0..count).for_each(|n| *lock(&number) ^= n);
    number
}

/// Two threads that lock the same mutex for an addition: the time of each.
#[nanobench(name = "Mutex, by two threads", threads = 2)]
fn mutex_contended(count: u64) {
    static SHARED: Mutex<u64> = Mutex::new(0);
    (0..count).for_each(|n| *lock(&SHARED) ^= n);
}

/// Locking for reading, and unlocking.
#[nanobench(name = "RwLock, read and unlock")]
fn read_lock(count: u64) -> u64 {
    let number = black_box(RwLock::new(5));
    (0..count).fold(0, |x, _| x ^ *number.read().unwrap_or_else(PoisonError::into_inner))
}

/// Locking for writing, and unlocking.
#[nanobench(name = "RwLock, write and unlock")]
fn write_lock(count: u64) -> RwLock<u64> {
    let number = black_box(RwLock::new(5));
    (0..count).for_each(|n| *number.write().unwrap_or_else(PoisonError::into_inner) ^= n);
    number
}

/// Reading a `OnceLock` that is initialised.
#[nanobench(name = "OnceLock.get_or_init, initialised")]
fn once_lock(count: u64) -> u64 {
    static NUMBER: OnceLock<u64> = OnceLock::new();
    (0..count).fold(0, |x, _| x ^ black_box(&NUMBER).get_or_init(|| 5))
}

/// Another reference to a shared value, and its drop: two atomic additions.
#[nanobench(name = "Arc, clone and drop")]
fn arc(count: u64) -> Arc<u64> {
    let number = black_box(Arc::new(5));
    (0..count).for_each(|_| _ = black_box(Arc::clone(&number)));
    number
}

/// Another reference to a value of one thread, and its drop.
#[nanobench(name = "Rc, clone and drop")]
fn rc(count: u64) -> u64 {
    let number = black_box(Rc::new(5));
    (0..count).fold(0, |x, _| x ^ *black_box(Rc::clone(&number)))
}

/// Borrowing a `RefCell` for a write.
#[nanobench(name = "RefCell.borrow_mut")]
fn ref_cell(count: u64) -> u64 {
    let number = black_box(RefCell::new(0));
    (0..count).for_each(|n| *black_box(&number).borrow_mut() ^= n);
    number.into_inner()
}

/// A number into a channel and out of it, on one thread.
#[nanobench(name = "channel, send and receive", setup = mpsc::channel, every = "benchmark")]
fn channel(count: u64, (sender, receiver): &mut (Sender<u64>, Receiver<u64>)) -> u64 {
    (0..count).fold(0, |x, n| {
        sender.send(n).expect("the receiver is here");
        x ^ receiver.recv().expect("the sender is here")
    })
}

/// A number to another thread and back, through two channels.
#[nanobench(name = "channel, to another thread and back", setup = Echo::start, every = "benchmark")]
fn channel_round_trip(count: u64, echo: &mut Echo) {
    (0..count).for_each(|n| echo.exchange(n));
}

/// Waking another thread by a condition variable, and being woken by it.
#[nanobench(
    name = "Condvar, wake a thread and be woken",
    setup = PingPong::<Sleeping>::start, every = "benchmark"
)]
fn condvar(count: u64, partner: &mut PingPong<Sleeping>) {
    partner.exchange(count);
}

fn lock(number: &Mutex<u64>) -> MutexGuard<'_, u64> {
    number.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that sends each number back, until its sender is dropped.
struct Echo {
    to: SyncSender<u64>,
    back: Receiver<u64>,
}

impl Echo {
    fn start() -> Self {
        let (to, inbox) = mpsc::sync_channel(1);
        let (outbox, back) = mpsc::sync_channel(1);
        thread::spawn(move || inbox.into_iter().try_for_each(|number| outbox.send(number)));
        Self { to, back }
    }

    fn exchange(&self, number: u64) {
        self.to.send(number).expect("the thread runs until the sender is dropped");
        self.back.recv().expect("the thread answers each number");
    }
}
