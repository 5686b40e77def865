//! The number and length of samples.

use crate::option_table::option_table;
use crate::record::record;

macro_rules! kind {
    (percentage) => {
        f64
    };
    ($number:ident) => {
        u64
    };
}

macro_rules! declare {
    (
        attribute {
            code $code:tt
            settings $settings:tt
            sampling { $($name:ident: $kind:ident $bound:tt $place:tt $doc:literal;)* }
        }
        run $run:tt
        counters $counters:tt
    ) => {
        record! {
            /// Options for the number and length of samples, from one place: an attribute, the command line,
            /// or the workspace's file. Times are in ns, and the precision is a share of the median.
            #[derive(Debug, Clone, Copy, Default, PartialEq)]
            pub struct SamplingOptions { $(#[doc = $doc] pub $name: Option<kind!($kind)>,)* }
        }
    };
}
option_table!(declare);

impl SamplingOptions {
    /// A `max_time` without a limit.
    pub const UNLIMITED: u64 = u64::MAX;

    /// Returns these options, and those of `outer` that they neither replace nor exclude.
    ///
    /// A number of samples excludes the precision and the times for all samples, and a number of
    /// iterations the length of a sample. If only one of the two times is set here, it adjusts the
    /// outer one to avoid a contradiction.
    pub fn or(self, outer: SamplingOptions) -> SamplingOptions {
        let SamplingOptions { samples, precision, min_time, max_time, sample_time, iterations, warmup } =
            self;
        let length = if iterations.or(sample_time).is_some() { self } else { outer };
        let (sample_time, iterations) = (length.sample_time, length.iterations);
        let warmup = warmup.or(outer.warmup);
        if samples.is_some() {
            return SamplingOptions { sample_time, iterations, warmup, ..self };
        }
        let is_empty = precision.is_none() && min_time.is_none() && max_time.is_none();
        SamplingOptions {
            samples: outer.samples.filter(|_| is_empty),
            precision: precision.or(outer.precision),
            min_time: min_time.or(outer.min_time.map(|outer| outer.min(max_time.unwrap_or(outer)))),
            max_time: max_time.or(outer.max_time.map(|outer| outer.max(min_time.unwrap_or(outer)))),
            sample_time,
            iterations,
            warmup,
        }
    }
}
