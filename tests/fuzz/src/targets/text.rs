//! Texts of benchmarks and files in the terminal, and numbers.

use nanobench::report::{self, Bytes};

/// No text controls the terminal, and no number of a benchmark breaks a table. Eight bytes are a
/// number.
pub fn text(data: &[u8]) {
    if let Ok(bytes) = data.try_into() {
        number(f64::from_le_bytes(bytes));
    }
    let text = String::from_utf8_lossy(data);
    let escaped = report::escape(&text);
    super::assert_harmless(&escaped);
    assert!(!escaped.contains('\n'), "{escaped}");
    assert_eq!(report::escape(&escaped), escaped, "what is harmless stays as it is");
    let wrapped = project::output::wrapped(&escaped, Some(20), "  ");
    super::assert_harmless(&wrapped);
}

fn number(number: f64) {
    for text in [
        report::significant(number),
        report::time(number),
        report::quantity(number),
        report::percent(number),
        report::change(number),
        report::per_second(number, "op", Bytes::default()),
        report::size(number, Bytes::default()),
    ] {
        super::assert_harmless(&text);
        assert!(text.len() < 400, "{text}");
    }
}
