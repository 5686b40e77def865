//! Futures, without an executor.

use nanobench::nanobench;
use std::future::{Future, ready};
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

/// Polling a future that is ready, through `Pin<&mut dyn Future>`.
#[nanobench(name = "poll a ready future")]
fn poll_ready(count: u64) -> u64 {
    let mut context = Context::from_waker(Waker::noop());
    (0..count).fold(0, |x, n| {
        let mut future = pin!(ready(n));
        let future: Pin<&mut dyn Future<Output = u64>> = black_box(future.as_mut());
        x ^ value(future.poll(&mut context))
    })
}

/// Making and polling an `async fn` that awaits another one.
#[nanobench(name = "async fn that awaits another")]
fn nested(count: u64) -> u64 {
    let mut context = Context::from_waker(Waker::noop());
    (0..count).fold(black_box(1), |x, _| {
        let mut future = pin!(outer(x));
        value(black_box(future.as_mut()).poll(&mut context))
    })
}

/// Allocating, polling and freeing a `Pin<Box<dyn Future>>`.
#[nanobench(name = "boxed future, made and polled")]
fn boxed(count: u64) -> u64 {
    let mut context = Context::from_waker(Waker::noop());
    (0..count).fold(black_box(1), |x, _| {
        let mut future: Pin<Box<dyn Future<Output = u64>>> = black_box(Box::pin(outer(x)));
        value(future.as_mut().poll(&mut context))
    })
}

/// Cloning a waker of an `Arc`, waking by it, and dropping it.
#[nanobench(name = "clone a Waker and wake")]
fn wake(count: u64) {
    struct Nothing;
    impl Wake for Nothing {
        fn wake(self: Arc<Self>) {
            black_box(());
        }
    }
    let waker = black_box(Waker::from(Arc::new(Nothing)));
    (0..count).for_each(|_| black_box(waker.clone()).wake());
}

async fn outer(x: u64) -> u64 {
    inner(x).await ^ 1
}

async fn inner(x: u64) -> u64 {
    x.wrapping_mul(3)
}

fn value(poll: Poll<u64>) -> u64 {
    match poll {
        Poll::Ready(value) => value,
        Poll::Pending => 0,
    }
}
