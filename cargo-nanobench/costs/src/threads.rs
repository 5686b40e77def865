//! Threads.

use nanobench::nanobench;
use std::cell::Cell;
use std::hint::black_box;
use std::thread;

/// Starting a thread that does nothing, and waiting for its end.
#[nanobench(name = "spawn and join")]
fn spawn() {
    thread::spawn(|| black_box(1)).join().expect("it doesn't panic");
}

/// Starting a thread in a scope, where it may borrow, and waiting for its end.
#[nanobench(name = "scope with one thread")]
fn scope() -> u64 {
    let number = black_box(1);
    thread::scope(|scope| scope.spawn(|| number + 1).join().expect("it doesn't panic"))
}

/// Reading and writing a thread-local that is initialised by a constant.
#[nanobench(name = "thread_local, constant")]
fn local_constant(count: u64) -> u64 {
    thread_local! { static NUMBER: Cell<u64> = const { Cell::new(1) } }
    let number = black_box(&NUMBER);
    (0..count).for_each(|n| number.with(|number| number.set(number.get() ^ n)));
    number.get()
}

/// Reading and writing a thread-local that is initialised when it is first used.
#[nanobench(name = "thread_local, initialised on first use")]
fn local_lazy(count: u64) -> u64 {
    fn first() -> u64 {
        black_box(1)
    }
    thread_local! { static NUMBER: Cell<u64> = Cell::new(first()) }
    let number = black_box(&NUMBER);
    (0..count).for_each(|n| number.with(|number| number.set(number.get() ^ n)));
    number.get()
}

/// Offering the core to other threads, of which there may be none.
#[nanobench(name = "yield_now")]
fn yield_now() {
    thread::yield_now();
}

/// The handle of this thread.
#[nanobench(name = "thread.current")]
fn current() -> thread::Thread {
    thread::current()
}
