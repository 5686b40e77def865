//! The messages.

use crate::json::{Error, Json, Object, Value};
use crate::measure::{Calibration, CalibrationRequest, SampleBatch, SampleRequest};
use crate::model::{BenchmarkSpec, CacheStates, ClockCalibration, ClockInfo, Counts, KeyValue, RowId};
use crate::record::{error_in_field, into_members, record, take_member, to_object};
use crate::time::Timer;
use std::fmt::{self, Display};

record! {
    /// Who speaks.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Hello {
        /// Version of the protocol.
        pub protocol: u64,
        /// Version of the crate that speaks it: `nanobench-core` or `cargo-nanobench`.
        pub version: String,
    }
}

record! {
    /// What a harness process holds.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Listing {
        /// Its clock.
        pub clock: ClockInfo,
        /// What an iteration of an empty benchmark takes, in ns.
        pub empty_loop: f64,
        /// Its benchmarks. Requests name them by their index here.
        pub benchmarks: Vec<BenchmarkSpec>,
        /// Built without optimisation.
        pub debug_build: bool,
        /// A debugger is attached, as far as the operating system tells.
        pub traced: bool,
        /// The counting allocator is installed.
        pub counts_allocations: bool,
        /// Counters that were asked for and can't be read here: which, and why.
        pub no_counters: Option<Vec<KeyValue>>,
        /// What is written to empty the caches without a size given, in bytes.
        pub wipe_size: Option<u64>,
        /// What is known of its clock.
        pub tuning: Option<ClockCalibration>,
    }
}

record! {
    /// Under which conditions benchmarks run. What is not given is as usual.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Conditions {
        /// The states of the caches: a row for each.
        pub cache: Option<CacheStates>,
        /// What is written to empty the caches, in bytes: a row for each.
        pub wipe_sizes: Option<Vec<u64>>,
        /// On how many threads those run that can run on several: a row for each.
        pub threads: Option<Vec<u64>>,
    }
}

record! {
    /// An order to say what is there.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct List {
        /// The clock to measure with: the best that there is without it.
        pub timer: Option<Timer>,
        /// For all benchmarks, whatever they say themselves.
        pub conditions: Option<Conditions>,
        /// For those that say nothing themselves.
        pub usual: Option<Conditions>,
        /// Which counters will be asked for.
        pub counters: Option<Vec<String>>,
        /// What another process of this machine has found out about the clock, to be used as it is.
        pub tuning: Option<ClockCalibration>,
        /// The only row that will be asked for.
        pub only: Option<RowId>,
    }
}

record! {
    /// An order to find out how to call a benchmark.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct CalibrateBenchmark {
        /// Index in the listing.
        pub benchmark: u64,
        /// For samples of what kind.
        pub order: CalibrationRequest,
    }
}

record! {
    /// An order for samples of a benchmark.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SampleBenchmark {
        /// Index in the listing.
        pub benchmark: u64,
        /// How many, how long.
        pub order: SampleRequest,
    }
}

record! {
    /// An order to count, in iterations that are not timed, what a benchmark does.
    #[derive(Debug, Clone, PartialEq)]
    pub struct CountBenchmark {
        /// Index in the listing.
        pub benchmark: u64,
        /// How many.
        pub iterations: u64,
        /// What the function gets as `count`.
        pub count: u64,
        /// Which counters are read.
        pub counters: Vec<String>,
    }
}

record! {
    /// A benchmark whose teardown panicked at the end of the process.
    #[derive(Debug, Clone, PartialEq)]
    pub struct TeardownFailure {
        /// The row.
        pub row: RowId,
        /// The panic, with its place.
        pub panic: String,
    }
}

impl Display for TeardownFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the teardown of {} {}", self.row, self.panic)
    }
}

/// Declares an enum whose variants hold one value each, and reads and writes it as `{"tag": value}`.
macro_rules! messages {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident($type:ty) = $tag:literal,)* }) => {
        $(#[$meta])*
        pub enum $name { $($(#[$variant_meta])* $variant($type),)* }

        impl Json for $name {
            fn to_json(&self) -> Value<'_> {
                match self { $($name::$variant(value) => to_object(&[($tag, value)]),)* }
            }

            fn from_json(value: Value<'_>) -> Result<Self, Error> {
                let mut object = into_members(value)?;
                $(if is_there(&object, $tag) {
                    let read = Json::from_json(take_member(&mut object, $tag));
                    return read.map($name::$variant).map_err(|error| error_in_field($tag, &error));
                })*
                Err(unknown(&object))
            }
        }
    };
}

messages! {
    /// What a parent asks.
    #[derive(Debug, Clone, PartialEq)]
    #[expect(clippy::large_enum_variant, reason = "there is one of it at a time")]
    pub enum Request {
        /// The first message.
        Hello(Hello) = "hello",
        /// Answered by a listing, or refused where there is no such timer.
        List(List) = "list",
        /// Answered by a calibration, or by failed.
        Calibrate(CalibrateBenchmark) = "calibrate",
        /// Answered by taken, or by failed.
        Sample(SampleBenchmark) = "sample",
        /// Answered by counted, or by failed.
        Count(CountBenchmark) = "count",
    }
}

messages! {
    /// What a harness answers.
    #[derive(Debug, Clone, PartialEq)]
    pub enum Reply {
        /// The first message.
        Hello(Hello) = "hello",
        /// What is there.
        Listing(Listing) = "listing",
        /// How to call a benchmark.
        Calibrated(Calibration) = "calibrated",
        /// What was asked for.
        Samples(SampleBatch) = "samples",
        /// What was counted.
        Counts(Counts) = "counts",
        /// The benchmark panicked: what it said and where.
        Failed(String) = "failed",
        /// The request makes no sense to this harness: why.
        Refused(String) = "refused",
        /// A benchmark could not be torn down. Sent, without a request, after the parent has finished sending.
        TeardownFailed(TeardownFailure) = "teardown_failed",
    }
}

fn is_there(object: &Object<'_>, tag: &str) -> bool {
    object.iter().any(|(name, _)| name == tag)
}

#[cold]
fn unknown(object: &Object<'_>) -> Error {
    let tags: Vec<&str> = object.iter().map(|(name, _)| &**name).collect();
    Error::new(format!("unknown message `{}`", tags.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{from_str, to_string};

    #[test]
    fn messages_are_tagged_objects() {
        let hello = Reply::Hello(Hello { protocol: 1, version: "0.1.0".into() });
        let text = to_string(&hello);
        assert_eq!(text, r#"{"hello":{"protocol":1,"version":"0.1.0"}}"#);
        assert_eq!(from_str::<Reply>(&text).unwrap(), hello);
        let timer = Some(Timer::Os);
        let list = Request::List(List { timer, ..List::default() });
        let text = to_string(&list);
        assert_eq!(from_str::<Request>(&text).unwrap(), list);
    }

    #[test]
    fn unknown_fields_are_ignored_and_missing_options_are_none() {
        let text = r#"{"calibrate":{"benchmark":3,"order":{"sample_time":5.0,"warmup":1,"later":[1]}}}"#;
        let order = CalibrationRequest { sample_time: 5.0, iterations: None, count: None, warmup: 1 };
        let expected = Request::Calibrate(CalibrateBenchmark { benchmark: 3, order });
        assert_eq!(from_str::<Request>(text).unwrap(), expected);
    }

    #[test]
    fn what_is_unknown_or_missing_is_named() {
        let error = |text| from_str::<Request>(text).unwrap_err().to_string();
        assert_eq!(error(r#"{"dance":1}"#), "unknown message `dance`");
        assert!(error(r#"{"hello":{"protocol":1}}"#).contains("field `version`"));
        assert!(error("[]").contains("expected an object"));
    }
}
