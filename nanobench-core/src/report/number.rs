//! Numbers in three significant digits and a fitting unit.

/// `value` in three significant digits: `1.03`, `21.4`, `231`, `0.042`.
fn significant(value: f64) -> String {
    // The exponent after rounding: 0.9996 is 1.00.
    let scientific = format!("{value:.2e}");
    let magnitude: i32 =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let decimals = (2 - magnitude).clamp(0, 4) as usize;
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

/// Operations a second, from the time of one in ns, as `46.7 M/s`.
pub fn rate(nanoseconds: f64) -> String {
    scaled(1e9 / nanoseconds, &[(1.0, "/s"), (1e3, "k/s"), (1e6, "M/s"), (1e9, "G/s")])
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
    fn rates_are_a_second() {
        assert_eq!(rate(21.4), "46.7 M/s");
        assert_eq!(rate(1.033e3), "968 k/s");
        assert_eq!(rate(0.4), "2.50 G/s");
        assert_eq!(rate(3e9), "0.333 /s");
    }

    #[test]
    fn changes_have_a_sign_unless_they_are_none() {
        assert_eq!(change(0.047), "+4.7 %");
        assert_eq!(change(-0.117), "-11.7 %");
        assert_eq!(change(-0.0002), "0.0 %");
        assert_eq!(percent(1.132), "113.2 %");
    }
}
