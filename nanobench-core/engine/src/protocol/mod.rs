//! The protocol between `cargo nanobench` and a harness process: JSON, one message a line, over a
//! private channel.
//!
//! The first message in each direction is [`Hello`]. Its shape never changes, so that incompatible
//! versions can report that they are. After it the harness answers each request with one reply.
//! When the parent finishes sending, the harness tears its benchmarks down and ends. Unknown fields
//! are ignored, and unknown messages are refused.

pub use crate::time::Timer;

mod channel;
mod message;

pub use channel::{CHANNEL_VARIABLE, Channel, MAX_MESSAGE, Received, Stream};
pub use message::{
    CalibrateBenchmark, Conditions, CountBenchmark, Hello, List, Listing, Reply, Request, SampleBenchmark,
    TeardownFailure,
};

/// Version of the protocol that this library speaks.
pub const VERSION: u64 = 9;
