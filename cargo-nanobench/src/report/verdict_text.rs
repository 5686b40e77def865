//! A comparison in words.

use crate::experiment::{Comparison, MEASURED_THEN, SAME_EXECUTABLE, Verdict};
use nanobench::report::change;
use std::time::Duration;

/// What stands before the name of a function.
pub(super) const OTHER_CODE: &str = "other machine code in";

/// What stands behind `unsure` where nobody can be told to wait for it.
const TOO_LONG: &str = ": it would take very long to tell";
/// The same where nothing can be told of the change yet.
const TOO_EARLY: &str = ": the time was up too early to tell";

/// What stands behind the word of the verdict: `, within 0.4 %` or `: 3 s more would tell`. Empty where the word is all.
pub(super) fn remark(comparison: &Comparison) -> String {
    match comparison.reason.as_deref() {
        // The line above the table says it of most rows.
        None | Some(MEASURED_THEN) => {}
        Some(SAME_EXECUTABLE) => return " executable".to_owned(),
        Some(reason) => return format!(": {reason}"),
    }
    if let Some(change) = placed_elsewhere(comparison) {
        return format!(" code, placed elsewhere: {change}");
    }
    if let Some(bound) = comparison.bound() {
        return format!(", within {}", share(bound));
    }
    match &comparison.paired {
        Some(paired) if comparison.verdict == Verdict::Unsure => match (paired.more, comparison.change) {
            (Some(more), _) => format!(": {} more would tell", rounded_up(more)),
            (None, Some(_)) => TOO_LONG.to_owned(),
            // Where the time was up, or Ctrl-C came.
            (None, None) => TOO_EARLY.to_owned(),
        },
        _ => String::new(),
    }
}

/// What the same code changed by because it lies elsewhere.
fn placed_elsewhere(comparison: &Comparison) -> Option<String> {
    comparison.paired.as_ref().filter(|paired| paired.placed_elsewhere)?;
    Some(change(comparison.change?.estimate))
}

/// All of it, as a sentence.
pub(super) fn sentence(comparison: &Comparison) -> String {
    let verdict = format!("{}{}", comparison.verdict.word(), remark(comparison));
    let Some(found) = comparison.change else { return verdict };
    let interval = found
        .known_interval()
        .map(|known| format!(" ({} to {} with 95 % confidence)", change(known.low), change(known.high)));
    let found = format!("{verdict}; changed by {}{}", change(found.estimate), interval.unwrap_or_default());
    let Some(paired) = &comparison.paired else {
        return format!("{found} beside figures that were measured at another time");
    };
    let is_called = matches!(comparison.verdict, Verdict::Slower | Verdict::Faster);
    let pairs = match comparison.verdict {
        _ if paired.placed_elsewhere || is_called => {
            format!(
                "seen first in {}, then again in {} other",
                paired.pairs - paired.fresh_pairs,
                paired.fresh_pairs
            )
        }
        _ => format!("in {}", paired.fresh_pairs),
    };
    let floor = match paired.noise_floor {
        Some(floor) => format!("; beside itself, each side moved by at most {}", share(floor)),
        None => String::new(),
    };
    let code = paired.differs_in.as_ref().map(|function| format!("; {OTHER_CODE} {function}"));
    format!("{found}, {pairs} pairs of fresh processes side by side{floor}{}", code.unwrap_or_default())
}

/// A share without a sign, rounded up, so that it stays a bound.
pub(crate) fn share(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 0.1 { "0.1 %".to_owned() } else { format!("{:.1} %", (percent * 10.0).ceil() / 10.0) }
}

/// A time in a unit that fits, rounded up.
fn rounded_up(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds <= 90.0 {
        format!("{} s", seconds.ceil().max(1.0))
    } else {
        format!("{} min", (seconds / 60.0).ceil())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::PairedDetails;
    use nanobench::stats::{Change, Interval};

    fn comparison(verdict: Verdict, low: f64, high: f64, more: Option<u64>) -> Comparison {
        Comparison {
            baseline: None,
            change: Some(Change { estimate: (low + high) / 2.0, interval: Interval { low, high } }),
            in_cycles: false,
            verdict,
            reason: None,
            paired: Some(PairedDetails {
                noise_floor: Some(0.003),
                pairs: 32,
                fresh_pairs: 16,
                more: more.map(Duration::from_millis),
                placed_elsewhere: false,
                differs_in: None,
            }),
        }
    }

    #[test]
    fn the_same_has_a_bound_that_is_never_rounded_down() {
        assert_eq!(remark(&comparison(Verdict::Same, -0.003_1, 0.002, None)), ", within 0.4 %");
        assert_eq!(remark(&comparison(Verdict::Same, -0.000_1, 0.000_2, None)), ", within 0.1 %");
    }

    #[test]
    fn what_is_unsure_says_how_much_longer_it_would_take() {
        assert_eq!(remark(&comparison(Verdict::Unsure, -0.03, 0.04, Some(2_100))), ": 3 s more would tell");
        assert_eq!(
            remark(&comparison(Verdict::Unsure, -0.03, 0.04, Some(100_000))),
            ": 2 min more would tell"
        );
        assert_eq!(remark(&comparison(Verdict::Unsure, -0.03, 0.04, None)), TOO_LONG);
        let at_once = Comparison { change: None, ..comparison(Verdict::Unsure, 0.0, 0.0, None) };
        assert_eq!(sentence(&at_once), format!("unsure{TOO_EARLY}"));
        assert_eq!(remark(&comparison(Verdict::Slower, 0.03, 0.04, None)), "");
    }

    #[test]
    fn the_same_code_is_not_called_a_change() {
        let mut placed = comparison(Verdict::Same, 0.02, 0.04, None);
        placed.paired.as_mut().unwrap().placed_elsewhere = true;
        assert_eq!(remark(&placed), " code, placed elsewhere: +3.0 %");
        assert!(sentence(&placed).contains("again in 16 other pairs"));
    }

    #[test]
    fn a_change_says_that_it_was_seen_twice() {
        let verdict_text = sentence(&comparison(Verdict::Slower, 0.04, 0.06, None));
        assert!(
            verdict_text.starts_with("slower; changed by +5.0 % (+4.0 % to +6.0 % with 95 % confidence)"),
            "{verdict_text}"
        );
        assert!(verdict_text.contains("seen first in 16, then again in 16 other pairs"), "{verdict_text}");
        assert!(!verdict_text.contains(OTHER_CODE), "{verdict_text}");
        let mut known = comparison(Verdict::Slower, 0.04, 0.06, None);
        known.paired.as_mut().unwrap().differs_in = Some("a::sort".to_owned());
        assert!(sentence(&known).ends_with("; other machine code in a::sort"));
    }
}
