//! The only measurement: the time.

use crate::Throughput;
use std::time::{Duration, Instant};

pub trait ValueFormatter {
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{:>6.4} {unit}", values[0])
    }

    fn format_throughput(&self, throughput: &Throughput, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_throughputs(value, throughput, &mut values);
        format!("{:>6.4} {unit}", values[0])
    }

    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str;

    fn scale_throughputs(
        &self,
        typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str;

    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str;
}

pub trait Measurement {
    type Intermediate;
    type Value;

    fn start(&self) -> Self::Intermediate;
    fn end(&self, i: Self::Intermediate) -> Self::Value;
    fn add(&self, v1: &Self::Value, v2: &Self::Value) -> Self::Value;
    fn zero(&self) -> Self::Value;
    fn to_f64(&self, value: &Self::Value) -> f64;
    fn formatter(&self) -> &dyn ValueFormatter;
}

pub struct WallTime;

impl Measurement for WallTime {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        Instant::now()
    }

    fn end(&self, start: Instant) -> Duration {
        start.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }
}

/// Formats times in ns, and throughputs per second. Nothing here prints them.
struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, _typical_value: f64, _values: &mut [f64]) -> &'static str {
        "ns"
    }

    fn scale_throughputs(&self, _typical: f64, throughput: &Throughput, values: &mut [f64]) -> &'static str {
        let (amount, unit) = match *throughput {
            Throughput::Bits(bits) => (bits, "b/s"),
            Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes) => (bytes, "B/s"),
            Throughput::Elements(elements) | Throughput::ElementsAndBytes { elements, .. } => {
                (elements, "elem/s")
            }
        };
        values.iter_mut().for_each(|value| *value = amount as f64 * 1e9 / *value);
        unit
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_throughputs_have_their_unit() {
        let formatter = WallTime.formatter();
        assert_eq!(formatter.format_value(1_500.0), "1500.0000 ns");
        let throughput = |throughput| formatter.format_throughput(&throughput, 1e9);
        assert_eq!(throughput(Throughput::Bytes(2048)), "2048.0000 B/s");
        assert_eq!(throughput(Throughput::Bits(80)), "80.0000 b/s");
        assert_eq!(throughput(Throughput::ElementsAndBytes { elements: 5, bytes: 9 }), "5.0000 elem/s");
    }
}
