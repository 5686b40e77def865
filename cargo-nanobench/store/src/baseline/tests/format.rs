//! The exact text on disk. All later versions can read it.

use super::*;
use crate::baseline::format::FormatError;

/// A run in format 3.
const SAVED: &str = r#"{"format":3,"tool":"0.1.0","created":"2026-11-21T03:07:02.758985056Z","environment":{"cpu":"AMD EPYC","cores":2,"features":[],"context":[{"key":"rack","value":"7"}]},"executables":[{"name":"first-73824ca5b9b13fbb","size":1356080,"hash":"xxh3:5b6fbcdf670d1f8efc9edf3c374d7d6f"}],"benchmarks":[{"target":{"package":"my-crate","kind":"bench","name":"first"},"executable":0,"benchmark":{"id":{"modules":"vec","function":"sort","labels":["u64","10"],"number":2,"conditions":{"cache":"cold","wipe_size":32768,"threads":4}},"rust_name":"sort_vec","description":"Line one.\nLine \"two\" \u0007","file":"benches/first.rs","line":6,"ignored":false,"takes_count":false,"count":null,"unroll":1,"complexity":{"n":10.0,"label":1,"custom":null},"wipe_size":32768,"tags":["a","b"],"later":{"moon":[1,{}]}},"measurement":{"figures":{"batch":null,"count":1,"counts":{"allocations":{"allocations":3,"bytes":18446744073709551615,"deallocations":3,"peak":0,"reallocations":0},"counters":null,"iterations":10},"launches":[],"throughput":null,"unroll":1},"launches":[{"launch":{"clock":{"frequency":2596121467.1076574,"name":"tsc","read_cost":23.485033644410624,"resolution":20.0},"empty_loop":0.26824328741389614,"samples":[],"segment_cost":1e-7},"samples":{"elapsed":[1409434,9007199254740993],"iterations":[17185,17186],"reference":[100,101],"round":[0,1],"segments":[1,1]}}]}}]}
"#;

#[test]
fn stored_text_is_read() {
    let fixture = Fixture::new();
    fixture.plant("main", SAVED);
    let baseline = fixture.store().load(&named("main")).unwrap().baseline;
    assert_eq!(baseline.environment.context[0].value, "7");
    let stored = &baseline.benchmarks[0];
    assert_eq!(stored.id().to_string(), "my-crate::first::vec::sort/u64/10#2/cold 32 KiB/threads=4");
    assert_eq!(stored.benchmark.rust_name.as_deref(), Some("sort_vec"));
    assert_eq!(stored.benchmark.description, "Line one.\nLine \"two\" \u{7}");
    assert_eq!(stored.benchmark.complexity.as_ref().map(|size| (size.n, size.label)), Some((10.0, Some(1))));
    assert_eq!(stored.benchmark.tags.as_deref(), Some(["a".to_owned(), "b".to_owned()].as_slice()));
    let launch = &stored.measurement.launches[0];
    let read_cost = 23.485033644410624;
    let clock = ClockInfo {
        name: "tsc".to_owned(),
        frequency: 2596121467.1076574,
        resolution: 20.0,
        read_cost,
        ..ClockInfo::default()
    };
    assert_eq!((&launch.clock, launch.segment_cost), (&clock, 1e-7));
    let last = Sample { iterations: 17186, elapsed: (1 << 53) + 1, segments: 1, reference: 101, round: 1 };
    assert_eq!((launch.samples.len(), launch.samples[1]), (2, last));
    let allocations = stored.measurement.counts.as_ref().and_then(|counts| counts.allocations);
    assert_eq!(
        allocations.map(|allocations| (allocations.allocations, allocations.bytes)),
        Some((3, u64::MAX))
    );
}

/// Asserts that all members of `before` have the same values in `after`, which may have more. A missing
/// one is null.
fn assert_kept(before: &serde_json::Value, after: &serde_json::Value, place: &str) {
    match (before, after) {
        (serde_json::Value::Object(before), serde_json::Value::Object(after)) => {
            for (name, value) in before.iter().filter(|(name, _)| *name != "later") {
                let kept = after.get(name).unwrap_or(&serde_json::Value::Null);
                assert_kept(value, kept, &format!("{place}/{name}"));
            }
        }
        (serde_json::Value::Array(before), serde_json::Value::Array(after)) => {
            assert_eq!(before.len(), after.len(), "{place}");
            before.iter().zip(after).for_each(|(before, after)| assert_kept(before, after, place));
        }
        _ => assert_eq!(before, after, "{place}"),
    }
}

#[test]
fn stored_text_is_written_unchanged() {
    let fixture = Fixture::new();
    fixture.plant("main", SAVED);
    let baseline = fixture.store().load(&named("main")).unwrap().baseline;
    let written = serde_json::to_value(&baseline).unwrap();
    assert_kept(&serde_json::from_str(SAVED).unwrap(), &written, "");
}

#[test]
fn number_of_benchmarks_has_a_limit() {
    let text = RunRecord::new(environment(), Vec::new(), vec![benchmark("f", None)]);
    let text = text.to_json().unwrap();
    let text = String::from_utf8(text).unwrap();
    let (start, rest) = text.split_once("\"benchmarks\":[").unwrap();
    let (benchmark, end) = rest.rsplit_once(']').unwrap();
    let many = format!("{start}\"benchmarks\":[{}{benchmark}]{end}", format!("{benchmark},").repeat(1000));
    match RunRecord::parse(many.as_bytes()) {
        Err(FormatError::Damaged(reason)) => {
            assert!(reason.to_string().contains("more than 1000 items"), "{reason}");
        }
        Err(error) => panic!("{error:?}"),
        Ok(baseline) => panic!("{} benchmarks", baseline.benchmarks.len()),
    }
}
