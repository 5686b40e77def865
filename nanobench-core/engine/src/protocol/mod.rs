//! The protocol between `cargo nanobench` and a harness process: JSON, one message a line, over a
//! private channel.
//!
//! The first message in each direction is [`Hello`], that of the harness before that of the parent.
//! Its shape never changes, so that incompatible versions can report that they are. After it the
//! harness answers each request with one reply. When the parent finishes sending, the harness tears
//! its benchmarks down and ends. Unknown fields are ignored, and unknown messages are refused.
//!
//! The parent understands libraries from [`OLDEST`] to [`VERSION`], and greets in the version of the
//! library. So a field that is added is an `Option`, which older libraries neither send nor expect,
//! and the parent sends a new kind of request only to a library that knows it.

pub use crate::time::Timer;

mod channel;
mod message;

pub use channel::{CHANNEL_VARIABLE, Channel, MAX_MESSAGE, Received, Stream};
pub use message::{
    CalibrateBenchmark, Conditions, CountBenchmark, Hello, List, Listing, Reply, Request, SampleBenchmark,
    TeardownFailure,
};

/// Version of the protocol that this library speaks. A change that an older parent or library would
/// misunderstand raises it.
pub const VERSION: u64 = 9;

/// The oldest version that the parent understands: the one of nanobench-core 0.1.0.
pub const OLDEST: u64 = 9;
