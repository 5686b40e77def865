//! Durations as they are typed.

use std::time::Duration;

use jiff::SignedDuration;

/// Reads `--timeout`: `500ms`, `2s`, `1m 30s`; a number alone is seconds. Zero would stop every benchmark.
pub(super) fn parse_timeout(text: &str) -> Result<Duration, String> {
    let with_unit = match text.trim().parse::<f64>() {
        Ok(_) => format!("{text}s"),
        Err(_) => text.to_owned(),
    };
    let duration: SignedDuration = with_unit
        .parse()
        .map_err(|_| "a duration is a number and a unit, like 90s, 500ms or 2m".to_owned())?;
    match Duration::try_from(duration) {
        Ok(Duration::ZERO) => Err("zero would stop every benchmark at once".to_owned()),
        Ok(duration) => Ok(duration),
        Err(_) => Err("a duration is not negative".to_owned()),
    }
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
            assert_eq!(parse_timeout(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn what_is_no_duration() {
        for text in ["0", "0s", "0ms", "-1s", "-1", "soon", "", "1 parsec", "inf", "NaN", "1e400"] {
            assert!(parse_timeout(text).is_err(), "{text}");
        }
    }
}
