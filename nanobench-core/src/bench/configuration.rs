//! `NANOBENCH_CONFIG`: default settings from the environment.

use super::settings::Settings;
use std::time::Duration;

const VARIABLE: &str = "NANOBENCH_CONFIG";
/// The units of durations, in seconds.
const UNITS: [(&str, f64); 4] = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];

/// Returns the default settings, changed by the environment. Prints one line for each mistake.
#[inline]
pub(super) fn from_environment() -> Settings {
    let mut settings = Settings::default();
    if let Some(text) = std::env::var_os(VARIABLE) {
        for mistake in apply(&text.to_string_lossy(), &mut settings) {
            eprintln!("nanobench: {VARIABLE}: {mistake}");
        }
    }
    settings
}

/// Returns a description of each pair of a text that is wrong, for tests.
#[inline]
pub fn mistakes(text: &str) -> Vec<String> {
    apply(text, &mut Settings::default())
}

/// Applies `key=value` pairs, separated by commas. Returns a description of each pair that is
/// wrong, and ignores it.
#[inline]
fn apply(text: &str, settings: &mut Settings) -> Vec<String> {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    pairs.filter_map(|pair| apply_pair(pair, settings).err()).collect()
}

#[inline]
fn apply_pair(pair: &str, settings: &mut Settings) -> Result<(), String> {
    let Some((key, value)) = pair.split_once('=') else {
        return Err(format!("`{}` has no `=`", crate::report::escape(pair)));
    };
    let (key, value) = (key.trim(), value.trim());
    let wrong = |what: &str| {
        let [key, value] = [key, value].map(crate::report::escape);
        Err(format!("`{key}={value}`: {what}"))
    };
    let number = || value.parse::<u64>();
    match key {
        "minEpochTime" | "maxEpochTime" => {
            let Some(time) = duration(value) else {
                return wrong("expected a number with a unit, such as `5ms` (ns, us, ms or s)");
            };
            let field = if key == "minEpochTime" {
                &mut settings.min_epoch_time
            } else {
                &mut settings.max_epoch_time
            };
            *field = time;
        }
        "epochs" | "minEpochIterations" | "epochIterations" | "warmup" | "clockResolutionMultiple" => {
            let Ok(number) = number() else { return wrong("expected a whole number") };
            match key {
                "epochs" => settings.epochs = number.max(1),
                "minEpochIterations" => settings.min_epoch_iterations = number.max(1),
                "epochIterations" => settings.epoch_iterations = number,
                "warmup" => settings.warmup = number,
                _ => settings.clock_resolution_multiple = number,
            }
        }
        _ => {
            return wrong(
                "unknown key; use epochs, minEpochTime, maxEpochTime, minEpochIterations, epochIterations, \
                 warmup or clockResolutionMultiple",
            );
        }
    }
    Ok(())
}

/// Parses a number with a unit.
#[inline]
fn duration(text: &str) -> Option<Duration> {
    let (number, seconds) =
        UNITS.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))?;
    let number: f64 = number.trim().parse().ok()?;
    Duration::try_from_secs_f64(number * seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[inline]
    fn pairs_set_their_fields() {
        let mut settings = Settings::default();
        let text = "epochs=51, minEpochTime=5ms,maxEpochTime = 1.5 s,warmup=3,,clockResolutionMultiple=7";
        assert_eq!(apply(text, &mut settings), [] as [String; 0]);
        let expected = Settings {
            epochs: 51,
            min_epoch_time: Duration::from_millis(5),
            max_epoch_time: Duration::from_millis(1_500),
            warmup: 3,
            clock_resolution_multiple: 7,
            ..Settings::default()
        };
        assert_eq!(settings, expected);
    }

    #[test]
    #[inline]
    fn each_mistake_is_one_line_and_the_other_pairs_count() {
        let mut settings = Settings::default();
        let text =
            "nonsense,epochs=x,minEpochTime=5,a\u{1b}b=1,warmup=2,maxEpochTime=-1s,maxEpochTime=1e300s";
        let mistakes = apply(text, &mut settings);
        assert_eq!(mistakes.len(), 6, "{mistakes:?}");
        assert!(mistakes[0].contains("no `=`"), "{mistakes:?}");
        assert!(mistakes[2].contains("with a unit"), "{mistakes:?}");
        assert!(mistakes[3].starts_with("`a\\u{1b}b=1`: unknown key"), "{mistakes:?}");
        assert!(mistakes.iter().all(|line| !line.contains(['\n', '\u{1b}'])));
        assert_eq!(settings, Settings { warmup: 2, ..Settings::default() });
    }
}
