//! Durations, ages, numbers and percentages on the command line.

use std::time::Duration;

use jiff::{SignedDuration, Span};

/// The longest duration. It is longer than any run, and points in time that far away exist on all
/// systems.
const MAX: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Reads `500ms`, `2s`, `1m 30s`. A number alone is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let with_unit = match text.trim().parse::<f64>() {
        Ok(_) => format!("{text}s"),
        Err(_) => text.to_owned(),
    };
    let too_long = || Err("duration must be at most 100 years".to_owned());
    let Ok(duration) = with_unit.parse::<SignedDuration>() else {
        return match has_too_large_number(&with_unit) {
            true => too_long(),
            false => Err("expected a duration: a number and a unit, like 90s, 500ms or 2m".to_owned()),
        };
    };
    match Duration::try_from(duration) {
        Ok(duration) if duration > MAX => too_long(),
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("duration must be greater than zero".to_owned()),
    }
}

/// Returns whether a text that can't be read could be with another number in front. The parser
/// doesn't tell overflows from other mistakes.
fn has_too_large_number(text: &str) -> bool {
    let text = text.trim_start();
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    unit.len() < text.len() && format!("1{unit}").parse::<SignedDuration>().is_ok()
}

/// Reads an age with calendar units: `30d`, `2w`, `12h`, `1mo`. Rejects `m`: an age in minutes
/// instead of months would delete too much, and nothing restores pruned baselines.
pub fn parse_age(text: &str) -> Result<Span, String> {
    if text.split(|letter: char| !letter.is_alphabetic()).any(|unit| unit == "m") {
        return Err("`m` could be minutes or months: write `min` or `mo`".to_owned());
    }
    match text.parse::<Span>() {
        Ok(span) if !span.is_negative() => Ok(span),
        _ => Err("expected an age: a number and a unit, like 30d, 2w, 12h or 3mo".to_owned()),
    }
}

/// Reads a number of things, which may be 0.
pub(super) fn parse_count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

/// Reads a percentage above 0, `2`, `0.5` or `0.5%`, as a share.
pub fn parse_percent(text: &str) -> Result<f64, String> {
    share(text)
        .filter(|&share| share > 0.0)
        .ok_or_else(|| "expected a percentage above 0, like 2 or 0.5%".to_owned())
}

/// Reads a percentage of 0 or more as a share.
pub fn parse_percent_or_none(text: &str) -> Result<f64, String> {
    share(text).ok_or_else(|| "expected a percentage, 0 or more, like 2 or 0.5%".to_owned())
}

fn share(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().trim_end_matches('%').trim_end().parse().ok()?;
    (percent >= 0.0 && percent.is_finite()).then_some(percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_bare_seconds() {
        for (text, millis) in [
            ("2", 2_000),
            ("2s", 2_000),
            ("500ms", 500),
            ("1m", 60_000),
            ("1.5s", 1_500),
            ("1m 30s", 90_000),
            ("0.5", 500),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn invalid_durations() {
        for text in ["0", "0s", "0ms", "-1s", "-1", "soon", "", "1 parsec", "inf", "NaN", "1e400"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        for text in ["s", " h", "18446744073709551616 parsecs", "1s 1h", ""] {
            assert!(parse_duration(text).unwrap_err().starts_with("expected a duration"), "{text}");
        }
    }

    #[test]
    fn the_longest_duration_is_a_lifetime() {
        assert_eq!(parse_duration("876000h"), Ok(MAX));
        let readable = ["9223372036854775807s", "876001h", "99999999999"];
        let too_large = [
            "9223372036854775808s",
            "18446744073709551615s",
            " 18446744073709551616",
            "99999999999999999999999 h",
            "9223372036854775807h 30m",
        ];
        for text in readable.into_iter().chain(too_large) {
            assert_eq!(parse_duration(text), Err("duration must be at most 100 years".to_owned()), "{text}");
        }
    }

    #[test]
    fn ages_have_calendar_units() {
        assert_eq!(parse_age("30d").unwrap().get_days(), 30);
        assert_eq!(parse_age("2w").unwrap().get_weeks(), 2);
        assert_eq!(parse_age("3mo").unwrap().get_months(), 3);
        assert_eq!(parse_age("90min").unwrap().get_minutes(), 90);
        for text in ["3m", "1d 3 m"] {
            assert!(parse_age(text).unwrap_err().contains("minutes or months"), "{text}");
        }
        for text in ["30", "", "old", "-1d", "1 parsec"] {
            assert!(parse_age(text).is_err(), "{text}");
        }
    }

    #[test]
    fn percentages() {
        assert_eq!((parse_percent("2"), parse_percent("0.5 %")), (Ok(0.02), Ok(0.005)));
        for text in ["0", "-1", "inf", "NaN", "", "%", "much"] {
            assert!(parse_percent(text).is_err(), "{text}");
        }
        assert_eq!((parse_percent_or_none("0"), parse_percent_or_none("5%")), (Ok(0.0), Ok(0.05)));
        assert!(parse_percent_or_none("-1").is_err());
    }
}
