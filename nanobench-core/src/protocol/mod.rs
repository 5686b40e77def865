//! What `cargo nanobench` and a harness process say to each other: JSON, one message a line, over a private channel.
//!
//! The first message each way is [`Hello`], whose shape never changes, so that two versions that can't work together
//! can say so. After it the parent asks and the harness answers, one reply a request. Unknown fields are ignored;
//! an unknown message is refused, never a panic.

pub use crate::time::Timer;

mod channel;
mod message;

pub use channel::{CHANNEL_VARIABLE, Channel, Stream};
pub use message::{
    CalibrateBenchmark, Conditions, CountBenchmark, Hello, List, Listing, Reply, Request, SampleBenchmark,
    TeardownFailure,
};

/// Version of the protocol that this library speaks.
pub const VERSION: u64 = 6;
