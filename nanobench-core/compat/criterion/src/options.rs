//! The values of settings.

use nanobench_engine::__private::ThroughputUnit;

/// The engine makes as many inputs at a time as it can in about a millisecond, and no more than this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BatchSize {
    SmallInput,
    LargeInput,
    PerIteration,
    NumBatches(u64),
    NumIterations(u64),
}

impl BatchSize {
    /// Returns the number of inputs that may exist at a time, if there is a limit.
    pub(crate) fn limit(self) -> Option<u64> {
        match self {
            BatchSize::SmallInput | BatchSize::LargeInput => None,
            BatchSize::PerIteration => Some(1),
            BatchSize::NumBatches(number) => {
                assert!(number > 0, "the number of batches must not be zero");
                None
            }
            BatchSize::NumIterations(number) => {
                assert!(number > 0, "the size of a batch must not be zero");
                Some(number)
            }
        }
    }
}

/// Bits are shown as bytes, if they are whole bytes, and otherwise as items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Throughput {
    Bits(u64),
    Bytes(u64),
    BytesDecimal(u64),
    Elements(u64),
    ElementsAndBytes { elements: u64, bytes: u64 },
}

impl Throughput {
    pub(crate) fn amounts(&self) -> Vec<(ThroughputUnit, u64)> {
        use ThroughputUnit::{Byte, Item};
        match *self {
            Throughput::Bits(bits) if bits % 8 == 0 => vec![(Byte, bits / 8)],
            Throughput::Bits(bits) => vec![(Item, bits)],
            Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes) => vec![(Byte, bytes)],
            Throughput::Elements(elements) => vec![(Item, elements)],
            Throughput::ElementsAndBytes { elements, bytes } => vec![(Item, elements), (Byte, bytes)],
        }
    }
}

/// `Compare` is in 0.3 only.
#[derive(Debug, Clone, Copy)]
pub enum Baseline {
    Compare,
    CompareLenient,
    CompareStrict,
    Save,
    Discard,
}

#[derive(Debug, Clone, Copy)]
pub enum PlottingBackend {
    Gnuplot,
    Plotters,
    None,
}

#[derive(Debug, Clone, Copy, Default)]
pub enum AxisScale {
    #[default]
    Linear,
    Logarithmic,
}

#[derive(Debug, Clone, Default)]
pub struct PlotConfiguration(());

impl PlotConfiguration {
    pub fn summary_scale(self, _new_scale: AxisScale) -> PlotConfiguration {
        self
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub enum SamplingMode {
    #[default]
    Auto,
    Linear,
    Flat,
}
