//! `async` functions and their runtimes.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

use nanobench::{TimeControl, nanobench};
use std::cell::Cell;
use std::future::{Future, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A runtime for futures that never wait.
pub(crate) struct Runtime;

thread_local! {
    /// Number of runtimes that this thread made.
    pub(crate) static RUNTIMES: Cell<u64> = const { Cell::new(0) };
}

impl Runtime {
    fn new() -> Runtime {
        RUNTIMES.set(RUNTIMES.get() + 1);
        Runtime
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        poll(future)
    }
}

fn poll<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

#[nanobench]
async fn bare() {}

#[nanobench]
async fn value() -> u64 {
    ready(5).await
}

#[nanobench(count = 5)]
async fn count(count: u64, tc: &mut TimeControl) -> u64 {
    tc.pause();
    ready(count).await
}

#[nanobench(args = ["a", "b"])]
async fn argument(text: &str) -> usize {
    ready(text.len()).await
}

#[nanobench(setup = || vec![1])]
async fn input(numbers: &mut Vec<u64>) {
    numbers.push(ready(5).await);
}

#[nanobench(setup = Vec::new, every = "sample", unroll = 2)]
async fn state(numbers: &mut Vec<u64>) {
    numbers.push(ready(5).await);
}

#[nanobench(types = [u8, u16])]
async fn generic<T: Default>() -> T {
    ready(T::default()).await
}

#[nanobench(runtime = Runtime::new())]
async fn on_runtime() -> u64 {
    ready(5).await
}

#[nanobench(runtime = Runtime::new(), args = [1, 2], fixture = || 5)]
async fn on_runtime_with_all(n: u64, fixture: &u64, tc: &mut TimeControl) -> u64 {
    tc.pause();
    ready(n + fixture).await
}

#[nanobench(runtime = nanobench::fixture(Runtime::new))]
async fn on_shared_runtime() {}

#[nanobench(runtime = |future| poll(future), setup = || 5)]
async fn by_closure(n: &mut u64) -> u64 {
    ready(*n).await
}

#[nanobench(runtime = Runtime::new(), threads = 2)]
async fn on_threads() {}

/// The functions can be called as they were written.
pub(crate) fn main() {
    assert_eq!(poll(value()), 5);
    assert_eq!(Runtime.block_on(argument("abc")), 3);
}
