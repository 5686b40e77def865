//! The exact text on disk. All later versions can read it.

use super::*;
use crate::baseline::format::FormatError;

/// A run in format 2.
const SAVED: &str = r#"{"format":2,"tool":"0.1.0","created":"2026-11-21T03:07:02.758985056Z","environment":{"cpu":"AMD EPYC","cores":2,"features":[],"context":[{"key":"rack","value":"7"}]},"executables":[{"file":"first-73824ca5b9b13fbb","size":1356080,"hash":"xxh3:5b6fbcdf670d1f8efc9edf3c374d7d6f"}],"benchmarks":[{"target":{"package":"my-crate","kind":"bench","name":"first"},"executable":"first-73824ca5b9b13fbb","benchmark":{"id":{"modules":"vec","function":"sort","labels":["u64","10"],"number":2,"conditions":{"cache":"cold","wipe_size":32768,"threads":4}},"rust_name":"sort_vec","description":"Line one.\nLine \"two\" \u0007","file":"benches/first.rs","line":6,"ignored":false,"takes_count":false,"count":null,"unroll":1,"complexity":{"n":10.0,"label":1,"custom":null},"wipe_size":32768,"tags":["a","b"],"later":{"moon":[1,{}]}},"measurement":{"batch":null,"count":1,"counts":{"allocations":{"allocations":3,"bytes":18446744073709551615,"deallocations":3,"peak":0,"reallocations":0},"counters":null,"iterations":10},"launches":[{"clock":{"frequency":2596121467.1076574,"name":"tsc","read_cost":23.485033644410624,"resolution":20.0},"empty_loop":0.26824328741389614,"samples":{"elapsed":[1409434,9007199254740993],"iterations":[17185,17186],"reference":[100,101],"round":[0,1],"segments":[1,1]},"segment_cost":1e-7}],"throughput":null,"unroll":1}}]}
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

#[test]
fn comparisons_of_earlier_versions_are_read_and_written_under_another_name() {
    let ratios = r#"{"screening":[0.02],"confirmation":[0.021,0.019],"aa":[0.001]}"#;
    let comparison = format!(
        r#""comparison":{{"baseline":"main","sentence":"slower","change":0.02,"interval":[0.01,0.03],"noise_floor":0.004,"ratios":{ratios}}}"#
    );
    let text =
        SAVED.replace(r#""measurement":{"batch""#, &format!(r#"{comparison},"measurement":{{"batch""#));
    let baseline = Baseline::parse(text.as_bytes()).unwrap();
    let read = baseline.benchmarks[0].comparison.clone().unwrap();
    assert_eq!((read.sentence.as_str(), read.change, read.launch_noise), ("slower", Some(0.02), None));
    assert_eq!(read.ratios, Ratios { changes: Vec::new(), aa: vec![0.001] });
    let written = String::from_utf8(baseline.to_json().unwrap()).unwrap();
    assert!(written.contains(r#""paired_run":{"baseline":"main""#), "{written}");
    assert!(!written.contains(r#""comparison""#), "earlier versions would take it for damaged: {written}");
    assert_eq!(Baseline::parse(written.as_bytes()).unwrap(), baseline);
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
    let text = Baseline::new(environment(), Vec::new(), vec![benchmark("f", &FileName::none())]);
    let text = text.to_json().unwrap();
    let text = String::from_utf8(text).unwrap();
    let (start, rest) = text.split_once("\"benchmarks\":[").unwrap();
    let (benchmark, end) = rest.rsplit_once(']').unwrap();
    let many = format!("{start}\"benchmarks\":[{}{benchmark}]{end}", format!("{benchmark},").repeat(1000));
    match Baseline::parse(many.as_bytes()) {
        Err(FormatError::Damaged(reason)) => {
            assert!(reason.to_string().contains("more than 1000 items"), "{reason}");
        }
        Err(error) => panic!("{error:?}"),
        Ok(baseline) => panic!("{} benchmarks", baseline.benchmarks.len()),
    }
}
