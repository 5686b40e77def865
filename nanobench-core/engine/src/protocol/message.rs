//! The messages.

use crate::json::{Error, Json, Object, Value};
use crate::measure::{Calibration, CalibrationRequest, CountRequest, SampleBatch, SampleRequest};
use crate::model::{BenchmarkSpec, CacheStates, ClockCalibration, Counts, KeyValue, RowId};
use crate::record::{error_in_field, into_members, record, take_member, to_object};
use crate::text::join;
use crate::time::Timer;
use std::fmt::{self, Display};

record! {
    /// A greeting: version of protocol and library.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Hello {
        /// Version of the protocol.
        pub protocol: u64,
        /// Version of the crate that speaks it: `nanobench-core` or `cargo-nanobench`.
        pub version: String,
    }
}

record! {
    /// The benchmarks of a harness process, and facts about the process.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Listing {
        /// The calibration of its clock.
        pub clock_calibration: ClockCalibration,
        /// Its benchmarks. Requests refer to them by their index.
        pub benchmarks: Vec<BenchmarkSpec>,
        /// True if it was built without optimisation.
        pub debug_build: bool,
        /// A debugger is attached, if the operating system reports it.
        pub traced: bool,
        /// True if the counting allocator is installed.
        pub counts_allocations: bool,
        /// Counters of benchmarks that can't be read here, and the reasons.
        pub no_counters: Vec<KeyValue>,
        /// The time in ns of the code before the requested benchmark, if the program passes it.
        pub time_before: Option<u64>,
    }
}

record! {
    /// Requested run conditions. `None` leaves a condition to the benchmark.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Conditions {
        /// The states of the caches: a row for each.
        pub cache: Option<CacheStates>,
        /// Numbers of bytes that empty the caches: a row for each.
        pub wipe_sizes: Option<Vec<u64>>,
        /// Numbers of threads, for benchmarks that can run on several: a row for each.
        pub threads: Option<Vec<u64>>,
        /// Names of the counters to read.
        pub counters: Option<Vec<String>>,
    }
}

record! {
    /// A request for the listing.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct List {
        /// The clock to measure with: the best that there is without it.
        pub timer: Option<Timer>,
        /// Conditions that override those of the benchmarks.
        pub conditions: Conditions,
        /// Default conditions, for benchmarks whose attributes set none.
        pub default_conditions: Conditions,
        /// The calibration of another process on this machine, to use instead of an own one.
        pub clock_calibration: Option<ClockCalibration>,
        /// The only row that will be requested.
        pub only: Option<RowId>,
        /// Number of bytes to allocate first, so that all later memory lies elsewhere.
        pub padding: Option<u64>,
        /// The benchmarks that the parent knows from another process, if the program passes them in
        /// order. Requests refer to them by their index, and the listing is empty. Once the parent has
        /// requested one, those before it can't be requested any more.
        pub known: Option<Vec<RowId>>,
        /// After the last request, the process goes on to the end of the program, and sends another
        /// listing of all benchmarks that it has passed.
        pub lists_again: Option<bool>,
    }
}

record! {
    /// A request to calibrate a benchmark.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct CalibrateBenchmark {
        /// Index in the listing.
        pub benchmark: u64,
        /// The kind of samples.
        pub request: CalibrationRequest,
    }
}

record! {
    /// A request for samples of a benchmark.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SampleBenchmark {
        /// Index in the listing.
        pub benchmark: u64,
        /// The number and length of the samples.
        pub request: SampleRequest,
    }
}

record! {
    /// A request to count the allocations and events of a benchmark.
    #[derive(Debug, Clone, PartialEq)]
    pub struct CountBenchmark {
        /// Index in the listing.
        pub benchmark: u64,
        /// The counters and the number of iterations.
        pub request: CountRequest,
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

/// Declares an enum whose variants hold one value each, and reads and writes it as `{"tag":
/// value}`.
macro_rules! messages {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident($type:ty) = $tag:literal,)* }) => {
        $(#[$meta])*
        pub enum $name { $($(#[$variant_meta])* $variant($type),)* }

        impl Json for $name {
            #[inline]
            fn to_json(&self) -> Value<'_> {
                match self { $($name::$variant(value) => to_object(&[($tag, value)]),)* }
            }

            #[inline]
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
    /// A message from the parent.
    #[derive(Debug, Clone, PartialEq)]
    #[expect(clippy::large_enum_variant, reason = "there is one at a time")]
    pub enum Request {
        /// The first message.
        Hello(Hello) = "hello",
        /// Answered by `Listing`, or by `Refused` if the timer can't be used.
        List(List) = "list",
        /// Answered by `Calibrated` or `Failed`.
        Calibrate(CalibrateBenchmark) = "calibrate",
        /// Answered by `Samples` or `Failed`.
        Sample(SampleBenchmark) = "sample",
        /// Answered by `Counts` or `Failed`.
        Count(CountBenchmark) = "count",
    }
}

messages! {
    /// A message from the harness.
    #[derive(Debug, Clone, PartialEq)]
    pub enum Reply {
        /// The first message.
        Hello(Hello) = "hello",
        /// The listing.
        Listing(Listing) = "listing",
        /// The calibration of a benchmark.
        Calibrated(Calibration) = "calibrated",
        /// The requested samples.
        Samples(SampleBatch) = "samples",
        /// The requested counts.
        Counts(Counts) = "counts",
        /// The benchmark panicked: message and place.
        Failed(String) = "failed",
        /// The reason why the request can't be answered.
        Refused(String) = "refused",
        /// A benchmark could not be torn down. Sent, without a request, after the parent has
        /// finished sending.
        TeardownFailed(TeardownFailure) = "teardown_failed",
    }
}

fn is_there(object: &Object<'_>, tag: &str) -> bool {
    object.iter().any(|(name, _)| name == tag)
}

#[cold]
fn unknown(object: &Object<'_>) -> Error {
    let tags = join(&mut object.iter().map(|(name, _)| &**name), ", ");
    Error::new(format!("unknown message `{tags}`"))
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
        let text = r#"{"calibrate":{"benchmark":3,"request":{"sample_time":5.0,"warmup":1,"later":[1]}}}"#;
        let request = CalibrationRequest { sample_time: 5.0, iterations: None, count: None, warmup: 1 };
        let expected = Request::Calibrate(CalibrateBenchmark { benchmark: 3, request });
        assert_eq!(from_str::<Request>(text).unwrap(), expected);
    }

    #[test]
    fn errors_name_the_unknown_or_missing_part() {
        let error = |text| from_str::<Request>(text).unwrap_err().to_string();
        assert_eq!(error(r#"{"dance":1}"#), "unknown message `dance`");
        assert!(error(r#"{"hello":{"protocol":1}}"#).contains("field `version`"));
        assert!(error("[]").contains("expected an object"));
    }
}
