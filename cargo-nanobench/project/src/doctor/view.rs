//! The report of `cargo nanobench doctor`, as a table and as JSON.

use super::Noise;
use crate::environment::check::{Check, Status};
use crate::output::wrapped;
use crate::style::{DOUBTFUL, GOOD, paint};
use nanobench::report::{counted, escape};
use serde::Serialize;
use std::fmt::Write as _;

/// The version of the document. New fields don't change it; changed and removed ones do.
const FORMAT: u64 = 1;
/// The length of the longest status.
const STATUS_WIDTH: usize = "unknown".len();

/// Returns the report as text for a terminal of this width.
pub fn table(checks: &[Check], noise: &[Noise], width: Option<usize>) -> String {
    let name_width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Check { name, status, value, advice } in checks {
        let (word, value) = (padded(*status), escape(value));
        let line = format!("  {name:<name_width$}  {word}  {value}");
        let indent = " ".repeat(name_width + STATUS_WIDTH + 6);
        let _ = writeln!(text, "{}", wrapped(line.trim_end(), width, &indent));
        if let Some(advice) = advice {
            let indent = " ".repeat(name_width + 6);
            let _ = writeln!(text, "{}", wrapped(&(indent.clone() + &escape(advice)), width, &indent));
        }
    }
    text + "\n" + &noise_table(noise) + "\n" + &wrapped(&conclusion(checks, noise), width, "") + "\n"
}

/// Returns a status in colour, padded to the longest.
fn padded(status: Status) -> String {
    let word = match status {
        Status::Ok => paint(GOOD, status.word()),
        Status::Warning => paint(DOUBTFUL, status.word()),
        Status::Note | Status::Unknown => status.word().to_owned(),
    };
    word + &" ".repeat(STATUS_WIDTH.saturating_sub(status.word().len()))
}

fn noise_table(noise: &[Noise]) -> String {
    let mut text =
        "Samples of the same work, in one process:\n\n                noise    smallest detectable change\n             \
         in 0.1 s       in 0.1 s         in 1 s\n"
            .to_owned();
    for Noise { workload, floor, detectable_in_100_ms, detectable_in_1_s } in noise {
        let [floor, short, long] = [*floor, *detectable_in_100_ms, *detectable_in_1_s].map(percent);
        let _ = writeln!(text, "  {workload:<8}   {floor:>8}       {short:>8}       {long:>8}");
    }
    text
}

/// Formats a percentage with two significant digits.
fn percent(percent: f64) -> String {
    let decimals = if percent < 0.1 {
        3
    } else if percent < 1.0 {
        2
    } else {
        1
    };
    format!("{percent:.decimals$} %")
}

fn conclusion(checks: &[Check], noise: &[Noise]) -> String {
    let warnings = match checks.iter().filter(|check| check.status == Status::Warning).count() {
        0 => "No warnings".to_owned(),
        number => counted(number, "warning"),
    };
    let worst = noise.iter().map(|noise| noise.detectable_in_1_s).fold(0.0, f64::max);
    format!(
        "{warnings}. Changes of {} or more can be detected in 1 s within a process; figures differ more between launches.\n\
         Nothing was changed.",
        percent(worst)
    )
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u64,
    cargo_nanobench: &'static str,
    cpu: Option<&'a str>,
    cores: Option<usize>,
    checks: &'a [Check],
    noise: &'a [Noise],
}

/// Returns the report as a JSON document, with a newline at the end.
pub fn json(
    cpu: Option<&str>,
    cores: Option<usize>,
    checks: &[Check],
    noise: &[Noise],
) -> Result<String, serde_json::Error> {
    let cargo_nanobench = env!("CARGO_PKG_VERSION");
    let document = Document { format: FORMAT, cargo_nanobench, cpu, cores, checks, noise };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::check::Finding;

    fn checks() -> Vec<Check> {
        vec![
            Check::new("governor", Some(Finding::warning("powersave", "set it"))),
            Check::new("SMT", Some(Finding::ok("off"))),
            Check::new("turbo", None),
        ]
    }

    fn noise() -> Vec<Noise> {
        vec![
            Noise { workload: "chain", floor: 0.01, detectable_in_100_ms: 0.036, detectable_in_1_s: 0.011 },
            Noise { workload: "mixed", floor: 0.4, detectable_in_100_ms: 1.44, detectable_in_1_s: 0.5 },
        ]
    }

    #[test]
    fn a_table_for_people() {
        let expected = "  governor  warning  powersave\n\
                        \x20             set it\n\
                        \x20 SMT       ok       off\n\
                        \x20 turbo     unknown\n\
                        \n\
                        Samples of the same work, in one process:\n\
                        \n\
                        \x20               noise    smallest detectable change\n\
                        \x20            in 0.1 s       in 0.1 s         in 1 s\n\
                        \x20 chain       0.010 %        0.036 %        0.011 %\n\
                        \x20 mixed        0.40 %          1.4 %         0.50 %\n\
                        \n\
                        1 warning. Changes of 0.50 % or more can be detected in 1 s within a process; figures differ \
                        more between launches.\n\
                        Nothing was changed.\n";
        let text = anstream::adapter::strip_str(&table(&checks(), &noise(), None)).to_string();
        assert_eq!(text, expected, "\n{text}");
        let narrow = anstream::adapter::strip_str(&table(&checks(), &noise(), Some(60))).to_string();
        assert!(narrow.lines().all(|line| line.len() <= 60), "{narrow}");
    }

    #[test]
    fn a_document_for_programs() {
        let text = json(Some("A CPU"), Some(2), &checks(), &noise()).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["checks"][0]["status"], "warning");
        assert_eq!(document["checks"][2]["status"], "unknown");
        assert_eq!(document["noise"][1]["detectable_in_1_s"], 0.5);
        assert_eq!((&document["cpu"], &document["cores"]), (&"A CPU".into(), &2.into()));
    }
}
