//! The record of a run: reading it, and everything that is computed and printed from it.

use crate::folder;
use cargo_nanobench::fuzzed;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use running::experiment::compare_with_stored;
use store::baseline::{ListedBaseline, RunRecord, Store};

/// A baseline is the same after it was written and read again, and all of its reports have finite
/// figures.
pub fn store(data: &[u8]) {
    let Ok(baseline) = RunRecord::parse(data) else { return };
    let written = baseline.to_json().expect("JSON");
    let again = RunRecord::parse(&written).expect("what was written can be read");
    assert_eq!(again, baseline);
    let now = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
    for stored in &baseline.benchmarks {
        let (measurement, other) = (&stored.measurement, &baseline.benchmarks[0].measurement);
        compare_with_stored(measurement, other, false, 0.005);
    }
    let listed = [ListedBaseline { name: "main".to_owned(), size: data.len() as u64, baseline: Ok(again) }];
    let [text, document] = fuzzed::list(&listed, &now).expect("JSON");
    super::assert_harmless(&text);
    assert!(serde_json::from_str::<serde_json::Value>(&document).is_ok(), "{document}");
    // A file takes ten times as long as its content.
    if !data.len().is_multiple_of(16) {
        return;
    }
    folder::write("target/nanobench/runs/main.json", data);
    let pointer = br#"{"run": {"record": "main.json", "blobs": []}, "previous": null}"#;
    folder::write("target/nanobench/names/main.json", pointer);
    let store = Store::open(&folder::path("target"), &folder::path("target"));
    let loaded = store.load(&"main".parse().expect("a name")).expect("a baseline");
    let shown = fuzzed::show("main", &loaded, &now);
    super::assert_harmless(&shown);
    let figures = shown.split_once("\n\n").map_or("", |(_, rest)| rest);
    if shown.is_ascii() && !data.windows(3).any(|word| matches!(word, b"NaN" | b"inf")) {
        super::assert_figures(figures);
    }
}
