//! Durations, ages and percentages as they are typed.

use std::time::Duration;

use jiff::{SignedDuration, Span};

/// Reads `500ms`, `2s`, `1m 30s`; a number alone is seconds. Zero is none.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let with_unit = match text.trim().parse::<f64>() {
        Ok(_) => format!("{text}s"),
        Err(_) => text.to_owned(),
    };
    let duration: SignedDuration = with_unit
        .parse()
        .map_err(|_| "a duration is a number and a unit, like 90s, 500ms or 2m".to_owned())?;
    match Duration::try_from(duration) {
        Ok(Duration::ZERO) => Err("zero is no time for anything".to_owned()),
        Ok(duration) => Ok(duration),
        Err(_) => Err("a duration is not negative".to_owned()),
    }
}

/// Reads an age with units of the calendar: `30d`, `2w`, `12h`, `1mo`. What was meant by months must not be taken for minutes:
/// nothing brings back what is pruned.
pub(super) fn parse_age(text: &str) -> Result<Span, String> {
    if text.split(|letter: char| !letter.is_alphabetic()).any(|unit| unit == "m") {
        return Err("is `m` a minute or a month? write `min` or `mo`".to_owned());
    }
    match text.parse::<Span>() {
        Ok(span) if !span.is_negative() => Ok(span),
        _ => Err("an age is a number and a unit, like 30d, 2w, 12h or 3mo".to_owned()),
    }
}

/// Reads `2`, `0.5` or `0.5%` as a share.
pub(super) fn parse_percent(text: &str) -> Result<f64, String> {
    share(text)
        .filter(|&share| share > 0.0)
        .ok_or_else(|| "a percentage is a number over 0, like 2 or 0.5%".to_owned())
}

/// The same for what is known to have changed by less than that.
pub(super) fn parse_resolution(text: &str) -> Result<f64, String> {
    match share(text) {
        Some(0.0) => {
            Err("nothing is ever known to have changed by less than 0: a number over 0, like 0.5".to_owned())
        }
        _ => parse_percent(text),
    }
}

/// The same where it may be none.
pub(super) fn parse_percent_or_none(text: &str) -> Result<f64, String> {
    share(text).ok_or_else(|| "a percentage is a number, 0 or more, like 2 or 0.5%".to_owned())
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
    fn what_is_no_duration() {
        for text in ["0", "0s", "0ms", "-1s", "-1", "soon", "", "1 parsec", "inf", "NaN", "1e400"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ages_have_units_of_the_calendar() {
        assert_eq!(parse_age("30d").unwrap().get_days(), 30);
        assert_eq!(parse_age("2w").unwrap().get_weeks(), 2);
        assert_eq!(parse_age("3mo").unwrap().get_months(), 3);
        assert_eq!(parse_age("90min").unwrap().get_minutes(), 90);
        for text in ["3m", "1d 3 m"] {
            assert!(parse_age(text).unwrap_err().contains("a minute or a month"), "{text}");
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
        assert_eq!(parse_resolution("0.5%"), Ok(0.005));
        assert!(parse_resolution("0").unwrap_err().starts_with("nothing is ever known"));
        assert!(parse_resolution("-1").unwrap_err().starts_with("a percentage"));
    }
}
