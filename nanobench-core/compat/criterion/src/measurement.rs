//! The only measurement: the time.

use crate::Throughput;
use std::time::{Duration, Instant};

pub trait ValueFormatter {
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{:>6} {unit}", five_digits(values[0]))
    }

    fn format_throughput(&self, throughput: &Throughput, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_throughputs(value, throughput, &mut values);
        format!("{:>6} {unit}", five_digits(values[0]))
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

/// Formats times in ns.
struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str {
        let (factor, unit) = match typical_value {
            ..1.0 => (1e3, "ps"),
            ..1e3 => (1.0, "ns"),
            ..1e6 => (1e-3, "µs"),
            ..1e9 => (1e-6, "ms"),
            _ => (1e-9, "s"),
        };
        values.iter_mut().for_each(|value| *value *= factor);
        unit
    }

    fn scale_throughputs(&self, typical: f64, throughput: &Throughput, values: &mut [f64]) -> &'static str {
        let (amount, base, units) = match *throughput {
            Throughput::Bits(bits) => (bits, 1000.0, ["  b/s", "Kb/s", "Mb/s", "Gb/s"]),
            Throughput::Bytes(bytes) => (bytes, 1024.0, ["  B/s", "KiB/s", "MiB/s", "GiB/s"]),
            Throughput::BytesDecimal(bytes) => (bytes, 1000.0, ["  B/s", "KB/s", "MB/s", "GB/s"]),
            Throughput::Elements(elements) | Throughput::ElementsAndBytes { elements, .. } => {
                (elements, 1000.0, [" elem/s", "Kelem/s", "Melem/s", "Gelem/s"])
            }
        };
        let per_second = |time: f64| amount as f64 * 1e9 / time;
        let power = (1..4).find(|power| per_second(typical) < f64::powi(base, *power)).unwrap_or(4) - 1;
        values.iter_mut().for_each(|value| *value = per_second(*value) / f64::powi(base, power));
        units[power as usize]
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}

/// Formats a number with five digits, or with all digits before the point.
fn five_digits(number: f64) -> String {
    let decimals = match number {
        ..10.0 => 4,
        ..100.0 => 3,
        ..1000.0 => 2,
        ..10_000.0 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_throughputs_have_fitting_units() {
        let formatter = WallTime.formatter();
        let times = [0.5, 12.0, 1_500.0, 2e6, 3e9].map(|time| formatter.format_value(time));
        assert_eq!(times, ["500.00 ps", "12.000 ns", "1.5000 µs", "2.0000 ms", "3.0000 s"]);
        let throughput = |throughput| formatter.format_throughput(&throughput, 1e9);
        assert_eq!(throughput(Throughput::Bytes(2048)), "2.0000 KiB/s");
        assert_eq!(throughput(Throughput::BytesDecimal(2_000_000)), "2.0000 MB/s");
        assert_eq!(throughput(Throughput::Bits(80)), "80.000   b/s");
        assert_eq!(throughput(Throughput::ElementsAndBytes { elements: 5, bytes: 9 }), "5.0000  elem/s");
        assert_eq!(throughput(Throughput::Elements(7_000_000_000_000)), "7000.0 Gelem/s");
    }
}
