//! The lines that libtest prints for `#[bench]`: `test NAME ... bench: 12.34 ns/iter (+/- 0.56)`.

use super::figures::{Measured, measured};
use crate::report::Report;
use nanobench::report::escape;
use nanobench::stats;
use nanobench::summary::times;

/// Returns a line for each benchmark with figures.
pub(super) fn bencher(report: &Report) -> String {
    measured(report).map(|measured| line(&measured)).collect()
}

/// Readers split the lines at spaces, so those of the id become `_`.
fn line(Measured { benchmark, measurement, summary }: &Measured<'_>) -> String {
    let name = escape(&benchmark.id.to_string()).replace(char::is_whitespace, "_");
    // The deviation of libtest is the range of the samples, without 5 % of them at either end.
    let times = times(measurement);
    let deviation = stats::quantile(&times, 0.95) - stats::quantile(&times, 0.05);
    format!(
        "test {name} ... bench: {:>14} ns/iter (+/- {})\n",
        with_separators(summary.median),
        with_separators(deviation)
    )
}

/// Formats a number with two decimals and a `,` between thousands.
fn with_separators(number: f64) -> String {
    let text = format!("{number:.2}");
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, "00"));
    let mut out = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    format!("{out}.{decimals}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let texts = [0.5, 999.994, 1_000.0, 1_234_567.891].map(with_separators);
        assert_eq!(texts, ["0.50", "999.99", "1,000.00", "1,234,567.89"]);
    }
}
