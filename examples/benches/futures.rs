//! Measures asynchronous functions. A small `block_on` is built in. `runtime` takes any value with
//! such a method, for example a runtime of tokio.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use nanobench::nanobench;

/// A queue of messages with a waiting receiver.
#[derive(Default)]
struct Mailbox {
    messages: VecDeque<u64>,
    waiting: Option<Waker>,
}

fn send(mailbox: &Mutex<Mailbox>, message: u64) {
    let mut mailbox = mailbox.lock().unwrap_or_else(PoisonError::into_inner);
    mailbox.messages.push_back(message);
    if let Some(waker) = mailbox.waiting.take() {
        waker.wake();
    }
}

async fn receive(mailbox: &Mutex<Mailbox>) -> u64 {
    poll_fn(|context| {
        let mut mailbox = mailbox.lock().unwrap_or_else(PoisonError::into_inner);
        match mailbox.messages.pop_front() {
            Some(message) => Poll::Ready(message),
            None => {
                mailbox.waiting = Some(context.waker().clone());
                Poll::Pending
            }
        }
    })
    .await
}

/// Receives a message that was sent before.
#[nanobench]
async fn message_is_there() -> u64 {
    let mailbox = Mutex::default();
    send(&mailbox, 7);
    receive(&mailbox).await
}

/// Receives a message from a new thread.
#[nanobench]
async fn message_from_a_thread() -> u64 {
    let mailbox = Arc::new(Mutex::default());
    let sender = Arc::clone(&mailbox);
    let thread = thread::spawn(move || send(&sender, 7));
    let message = receive(&mailbox).await;
    let _ = thread.join();
    message
}

/// A custom runtime: any type with a `block_on`. This one polls without sleeping.
struct Impatient;

impl Impatient {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return output;
            }
            thread::yield_now();
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Receives a message from a new thread, with a runtime that never sleeps.
#[nanobench(runtime = Impatient, baseline = message_from_a_thread)]
async fn message_from_a_thread_awaited_busily() -> u64 {
    let mailbox = Arc::new(Mutex::default());
    let sender = Arc::clone(&mailbox);
    let thread = thread::spawn(move || send(&sender, 7));
    let message = receive(&mailbox).await;
    let _ = thread.join();
    message
}
