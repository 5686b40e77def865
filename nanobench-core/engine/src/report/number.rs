//! Numbers as text, with three significant digits and a suitable unit.

/// Formats a number with three significant digits: `1.03`, `21.4`, `231`, `0.0421`, `1.13e-5`.
#[inline]
pub fn significant(value: f64) -> String {
    // The exponent after rounding, since 0.9996 is written as 1.00.
    let scientific = format!("{value:.2e}");
    let magnitude: i32 =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    if magnitude < -3 {
        return scientific;
    }
    let decimals = (2 - magnitude).clamp(0, 5) as usize;
    format!("{value:.decimals$}")
}

/// Formats a number in the largest of `units` in which it is at least 1 after rounding. `units` are
/// factors and names, ascending.
#[inline]
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // 999.5 would be written as 1000.
    let fits = |&&(factor, _): &&(f64, &str)| value.abs() >= factor * 0.9995;
    let (factor, unit) = units.iter().rev().find(fits).unwrap_or(&units[0]);
    format!("{} {unit}", significant(value / factor))
}

/// Formats a time in ns: `21.4 ns`, `1.03 us`, `231 ms` or `1.50 s`.
#[inline]
pub fn time(nanoseconds: f64) -> String {
    scaled(nanoseconds, &[(1.0, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s")])
}

/// The multiples of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bytes {
    /// Powers of 1,000: kB, MB, GB.
    #[default]
    Decimal,
    /// Powers of 1,024: KiB, MiB, GiB.
    Binary,
}

impl Bytes {
    #[inline]
    fn units(self) -> [(f64, &'static str); 5] {
        match self {
            Bytes::Decimal => [(1.0, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB"), (1e12, "TB")],
            Bytes::Binary => [
                (1.0, "B"),
                (1024.0, "KiB"),
                (1_048_576.0, "MiB"),
                (1_073_741_824.0, "GiB"),
                (1_099_511_627_776.0, "TiB"),
            ],
        }
    }
}

/// The unit of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeUnit {
    /// The largest one in which a time is at least 1.
    #[default]
    Suitable,
    /// Nanoseconds.
    Ns,
    /// Microseconds.
    Us,
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
}

impl TimeUnit {
    /// Formats a time in ns: `21.4 ns`, or `0.0214 us`.
    #[inline]
    pub fn format(self, nanoseconds: f64) -> String {
        match self {
            TimeUnit::Suitable => time(nanoseconds),
            TimeUnit::Ns => scaled(nanoseconds, &[(1.0, "ns")]),
            TimeUnit::Us => scaled(nanoseconds, &[(1e3, "us")]),
            TimeUnit::Ms => scaled(nanoseconds, &[(1e6, "ms")]),
            TimeUnit::S => scaled(nanoseconds, &[(1e9, "s")]),
        }
    }
}

/// The units of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Units {
    /// The unit of times.
    pub time: TimeUnit,
    /// The multiples for sizes and for the throughput of bytes.
    pub bytes: Bytes,
}

/// Formats an amount per second: `46.7 M/s`, or `3.20 GB/s` for bytes.
#[inline]
pub fn per_second(amount: f64, unit: &str, bytes: Bytes) -> String {
    match unit {
        "byte" => scaled(amount, &bytes.units()) + "/s",
        _ => scaled(amount, &[(1.0, "/s"), (1e3, "k/s"), (1e6, "M/s"), (1e9, "G/s")]),
    }
}

/// Formats a number of bytes: `24 B`, `1.20 kB`.
#[inline]
pub fn size(number: f64, bytes: Bytes) -> String {
    if number < 1000.0 && number.fract() == 0.0 {
        return format!("{number} B");
    }
    scaled(number, &bytes.units())
}

/// Formats an average number of things: `0`, `3`, `2.50`, `1.23 k`.
#[inline]
pub fn quantity(number: f64) -> String {
    if number < 1000.0 && number.fract() == 0.0 {
        return format!("{number}");
    }
    scaled(number, &[(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")]).trim_end().to_owned()
}

/// Formats a fraction as a percentage with one decimal: `0.6 %`.
#[inline]
pub fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}

/// Formats a change as a signed percentage with one decimal, and without a sign if it is zero:
/// `+4.7 %`, `-0.1 %`, `0.0 %`.
#[inline]
pub fn change(fraction: f64) -> String {
    let text = format!("{:+.1}", fraction * 100.0);
    let text = if matches!(text.as_str(), "+0.0" | "-0.0") { "0.0" } else { &text };
    format!("{text} %")
}

/// Formats a number of things: `1 benchmark`, `3 benchmarks`.
#[inline]
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::time_in_unit;

    #[test]
    fn times_have_three_digits_and_a_suitable_unit() {
        let table = [
            (0.0, "0.00 ns"),
            (0.0421, "0.0421 ns"),
            (0.001_234, "0.00123 ns"),
            (0.000_011_3, "1.13e-5 ns"),
            (0.42, "0.420 ns"),
            (1.08, "1.08 ns"),
            (21.43, "21.4 ns"),
            (999.4, "999 ns"),
            (999.6, "1.00 us"),
            (14_900.0, "14.9 us"),
            (231_000.0, "231 us"),
            (2e9, "2.00 s"),
            (3.6e12, "3600 s"),
            (-1.5, "-1.50 ns"),
        ];
        for (value, text) in table {
            assert_eq!(time(value), text);
        }
    }

    #[test]
    fn bytes_have_decimal_or_binary_multiples() {
        assert_eq!(per_second(3.2e9, "byte", Bytes::Decimal), "3.20 GB/s");
        assert_eq!(per_second(3.2e9, "byte", Bytes::Binary), "2.98 GiB/s");
        assert_eq!(per_second(3.2e9, "item", Bytes::Binary), "3.20 G/s");
        assert_eq!(time_in_unit(0.31, Some("byte"), TimeUnit::Suitable), "0.310 ns/byte");
        assert_eq!(time_in_unit(0.31, None, TimeUnit::Suitable), "0.310 ns");
        let units = [TimeUnit::Ns, TimeUnit::Us, TimeUnit::Ms, TimeUnit::S];
        assert_eq!(
            units.map(|unit| unit.format(123_456.0)),
            ["123456 ns", "123 us", "0.123 ms", "1.23e-4 s"]
        );
        let sizes =
            [(0.0, "0 B"), (24.0, "24 B"), (2.5, "2.50 B"), (1_000.0, "1.00 kB"), (65_536.0, "65.5 kB")];
        for (number, text) in sizes {
            assert_eq!(size(number, Bytes::Decimal), text);
        }
        assert_eq!(size(65_536.0, Bytes::Binary), "64.0 KiB");
        for (number, text) in [(0.0, "0"), (3.0, "3"), (2.5, "2.50"), (1_234.0, "1.23 k")] {
            assert_eq!(quantity(number), text);
        }
    }

    #[test]
    fn changes_have_a_sign_unless_they_are_zero() {
        assert_eq!(change(0.047), "+4.7 %");
        assert_eq!(change(-0.117), "-11.7 %");
        assert_eq!(change(-0.0002), "0.0 %");
        assert_eq!(percent(1.132), "113.2 %");
    }
}
