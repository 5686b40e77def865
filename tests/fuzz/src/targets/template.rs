//! Templates of nanobench-core, with hostile names and contexts, and `NANOBENCH_CONFIG`.

use nanobench::BenchResult;
use nanobench::configuration::Configuration;
use nanobench::measure::Plan;
use nanobench::model::{BenchmarkSpec, ClockInfo, KeyValue, Launch, Measurement, Sample, SamplingOptions};
use nanobench::{stored, templates};

/// A template is rendered, or has a mistake with its place, whatever names and contexts contain:
/// the template, the name, a key and its value, separated by zeros.
pub fn template(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut parts = text.splitn(4, '\0');
    let mut part = || parts.next().unwrap_or_default();
    let (template, name, key, value) = (part(), part(), part(), part());
    let results = [result(name, key, value), result("other", key, value)];
    let longest = 32 + 8 * (text.len() + 8);
    for results in [&results[..], &results[..1], &[]] {
        let mut rendered = Vec::new();
        match templates::render(template, results, &mut rendered) {
            // Each byte is rendered for at most all samples of all results.
            Ok(()) => assert!(rendered.len() <= (template.len() + 1) * longest * 6),
            Err(error) => {
                let message = error.to_string();
                assert!(message.starts_with("template, line ") && rendered.is_empty(), "{message}");
                super::assert_harmless(&message);
            }
        }
    }
    let is_wrong = templates::check(template).is_err();
    assert!(!is_wrong || templates::render(template, &[], &mut Vec::new()).is_err());
    // These take as long as all of the above.
    if !text.len().is_multiple_of(8) {
        return;
    }
    for template in [templates::JSON, templates::PYPERF] {
        let mut rendered = Vec::new();
        templates::render(template, &results, &mut rendered).expect("a shipped template");
        let json: serde_json::Value = serde_json::from_slice(&rendered).expect("JSON");
        assert!(json.is_object());
    }
}

/// Settings from the environment are taken, or are a mistake of one harmless line. A plan with them
/// has samples of some length.
pub fn bench_config(data: &[u8]) {
    let (configuration, mistakes) = Configuration::parse(&String::from_utf8_lossy(data));
    for mistake in mistakes {
        super::assert_harmless(&mistake);
        assert!(!mistake.contains('\n'), "{mistake}");
    }
    let plan = configuration.plan(SamplingOptions::default(), 20.0);
    assert!(plan.sample_time >= 0.0 && plan.sample_time.is_finite(), "{plan:?}");
    assert!(plan.iterations != Some(0) && plan.samples != Some(0), "{plan:?}");
}

/// Returns a result of three samples.
fn result(name: &str, key: &str, value: &str) -> BenchResult {
    let sample = |elapsed| Sample { iterations: 3, elapsed, segments: 1, ..Sample::default() };
    let clock = ClockInfo {
        name: "os".to_owned(),
        frequency: 1e9,
        resolution: 20.0,
        read_cost: 9.0,
        ..ClockInfo::default()
    };
    let samples = vec![sample(700), sample(0), sample(u64::MAX)];
    let launches = vec![Launch { clock, segment_cost: 5.0, empty_loop: 0.3, samples }];
    let measurement = Measurement { count: 2, unroll: 1, launches, ..Measurement::default() };
    let context = vec![KeyValue { key: key.to_owned(), value: value.to_owned() }];
    let spec =
        BenchmarkSpec { unit: Some(value.to_owned()), context: Some(context), ..BenchmarkSpec::default() };
    stored::bench_result(value.to_owned(), name.to_owned(), &spec, &Plan::default(), Some(0.5), measurement)
}
