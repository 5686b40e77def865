//! Numbers in three significant digits and a fitting unit.

/// `value` in three significant digits: `1.03`, `21.4`, `231`, `0.0421`, `1.13e-5`.
pub fn significant(value: f64) -> String {
    // The exponent after rounding: 0.9996 is 1.00.
    let scientific = format!("{value:.2e}");
    let magnitude: i32 =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    if magnitude < -3 {
        return scientific;
    }
    let decimals = (2 - magnitude).clamp(0, 5) as usize;
    format!("{value:.decimals$}")
}

/// `value` with the largest of `units` (factor and name, ascending) that leaves it at 1 or more after rounding.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // 999.5 would be rounded to 1000.
    let fits = |&&(factor, _): &&(f64, &str)| value.abs() >= factor * 0.9995;
    let (factor, unit) = units.iter().rev().find(fits).unwrap_or(&units[0]);
    format!("{} {unit}", significant(value / factor))
}

/// A time in ns, as `21.4 ns`, `1.03 us`, `231 ms` or `1.50 s`.
pub fn time(nanoseconds: f64) -> String {
    scaled(nanoseconds, &[(1.0, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s")])
}

/// How the multiples of a byte are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bytes {
    /// kB, MB, GB: by 1,000.
    #[default]
    Decimal,
    /// KiB, MiB, GiB: by 1,024.
    Binary,
}

impl Bytes {
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

/// A time in ns for one `unit`, as `0.310 ns/byte`.
pub fn time_per(nanoseconds: f64, unit: &str) -> String {
    format!("{}/{unit}", time(nanoseconds))
}

/// So many of a unit a second: `46.7 M/s`; of bytes `3.20 GB/s`.
pub fn per_second(amount: f64, unit: &str, bytes: Bytes) -> String {
    match unit {
        "byte" => scaled(amount, &bytes.units()) + "/s",
        _ => scaled(amount, &[(1.0, "/s"), (1e3, "k/s"), (1e6, "M/s"), (1e9, "G/s")]),
    }
}

/// A number of bytes: `24 B`, `1.20 kB`.
pub fn size(number: f64, bytes: Bytes) -> String {
    if number < 1000.0 && number.fract() == 0.0 {
        return format!("{number} B");
    }
    scaled(number, &bytes.units())
}

/// How many there are of something, on average: `0`, `3`, `2.50`, `1.23 k`.
pub fn quantity(number: f64) -> String {
    if number < 1000.0 && number.fract() == 0.0 {
        return format!("{number}");
    }
    scaled(number, &[(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")]).trim_end().to_owned()
}

/// A share as percent with one decimal: `0.6 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A signed share as percent with one decimal, without the sign at zero: `+4.7 %`, `-0.1 %`, `0.0 %`.
pub fn change(share: f64) -> String {
    let text = format!("{:+.1}", share * 100.0);
    let text = if matches!(text.as_str(), "+0.0" | "-0.0") { "0.0" } else { &text };
    format!("{text} %")
}

/// A number of things: `1 benchmark`, `3 benchmarks`.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_fitting_unit() {
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
    fn bytes_are_counted_either_way() {
        assert_eq!(per_second(3.2e9, "byte", Bytes::Decimal), "3.20 GB/s");
        assert_eq!(per_second(3.2e9, "byte", Bytes::Binary), "2.98 GiB/s");
        assert_eq!(per_second(3.2e9, "item", Bytes::Binary), "3.20 G/s");
        assert_eq!(time_per(0.31, "byte"), "0.310 ns/byte");
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
    fn changes_have_a_sign_unless_they_are_none() {
        assert_eq!(change(0.047), "+4.7 %");
        assert_eq!(change(-0.117), "-11.7 %");
        assert_eq!(change(-0.0002), "0.0 %");
        assert_eq!(percent(1.132), "113.2 %");
    }
}
