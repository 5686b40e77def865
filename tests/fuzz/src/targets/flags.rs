//! The values of flags: durations, sizes, percentages, numbers, and names of baselines.

use cargo_nanobench::fuzzed;
use std::path::{Component, Path};
use std::time::{Duration, Instant};
use store::baseline::{BaselineName, BaselineRef};

/// Flags whose values the tool parses by itself.
const FLAGS: [&str; 16] = [
    "precision",
    "min-time",
    "max-time",
    "budget",
    "samples",
    "sample-time",
    "iterations",
    "warmup",
    "wipe-size",
    "threads",
    "threshold",
    "resolution",
    "fail-above",
    "wait-quiet",
    "timeout",
    "context",
];

/// The first byte selects a flag, the rest is its value.
pub fn flags(data: &[u8]) {
    let Some((selector, Ok(text))) = data.split_first().map(|(first, rest)| (first, str::from_utf8(rest)))
    else {
        return;
    };
    match selector % 20 {
        16 => age(text),
        17 => name(text),
        18 => reference(text),
        19 => durations(text),
        flag => flag_value(FLAGS[usize::from(flag)], text),
    }
}

fn flag_value(flag: &str, text: &str) {
    let Some(flags) = fuzzed::parse_flag(&format!("--{flag}={text}")) else { return };
    flags.durations.into_iter().for_each(deadline);
    assert!(flags.precision.is_none_or(|precision| precision > 0.0 && precision.is_finite()));
    assert!(flags.threads.iter().all(|threads| (1..=1024).contains(threads)));
}

fn durations(text: &str) {
    if let Ok(duration) = fuzzed::parse_duration(text) {
        assert!(!duration.is_zero());
        deadline(duration);
    }
    if let Ok(share) = fuzzed::parse_percent(text) {
        assert!(share > 0.0 && share.is_finite(), "{share}");
    }
    if let Ok(share) = fuzzed::parse_percent_or_none(text) {
        assert!(share >= 0.0 && share.is_finite(), "{share}");
    }
}

/// Fails if a clock can't represent the end of an accepted duration.
fn deadline(duration: Duration) {
    assert!(Instant::now().checked_add(duration).is_some(), "{duration:?}");
}

fn age(text: &str) {
    if let Ok(span) = fuzzed::parse_age(text) {
        assert!(!span.is_negative(), "{span}");
        // A date before all dates is an error, not a panic.
        let _ = jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC).checked_sub(span);
    }
}

/// The name of a baseline is that of a folder, on all systems.
fn name(text: &str) {
    match text.parse::<BaselineName>() {
        Ok(name) => {
            assert_eq!(name.to_string(), text);
            assert!(text.len() <= 100 && !text.contains(['/', '\\', ':', '~', '\0']), "{text:?}");
            let mut components = Path::new(text).components();
            let is_plain =
                matches!((components.next(), components.next()), (Some(Component::Normal(_)), None));
            assert!(is_plain, "{text:?}");
            super::assert_harmless(text);
        }
        Err(error) => super::assert_harmless(&error.to_string()),
    }
}

fn reference(text: &str) {
    if let Ok(reference) = text.parse::<BaselineRef>() {
        assert_eq!(reference.name().parse::<BaselineRef>(), Ok(reference));
    }
}
