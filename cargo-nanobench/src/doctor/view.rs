//! What was found, for people and for programs.

use super::Noise;
use crate::environment::finding::{Finding, State};
use anstyle::{AnsiColor, Style};
use nanobench::report::{counted, escape};
use serde::Serialize;
use std::fmt::Write as _;

/// Version of the document. Fields are added without a new one; a field that changes or goes makes one.
const FORMAT: u64 = 1;
/// Letters in the longest word for a state.
const WIDEST: usize = "not known".len();

/// What was found, and how loud the machine is.
pub(crate) fn table(findings: &[Finding], noise: &[Noise]) -> String {
    let name_width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Finding { name, state, value, advice } in findings {
        let (word, value) = (paint(*state), escape(value));
        let line = format!("  {name:<name_width$}  {word}  {value}");
        let _ = writeln!(text, "{}", line.trim_end());
        if let Some(advice) = advice {
            let _ = writeln!(text, "  {:name_width$}    {}", "", escape(advice));
        }
    }
    text + "\n" + &floor(noise) + "\n" + &conclusion(findings, noise)
}

/// The word of a state, as wide as the widest.
fn paint(state: State) -> String {
    let style = match state {
        State::Fine => AnsiColor::Green.on_default(),
        State::Disturbs => AnsiColor::Yellow.on_default(),
        State::Note | State::NotKnown => Style::new(),
    };
    let (word, rest) = (state.word(), " ".repeat(WIDEST.saturating_sub(state.word().len())));
    format!("{style}{word}{style:#}{rest}")
}

fn floor(noise: &[Noise]) -> String {
    let mut text =
        "The same work beside itself, in one process:\n\n             noise of 0.1 s    smallest change seen in 0.1 s      in 1 s\n"
            .to_owned();
    for Noise { work, floor, seen_in_short, seen_in_long } in noise {
        let [floor, short, long] = [*floor, *seen_in_short, *seen_in_long].map(share);
        let _ = writeln!(text, "  {work:<8}   {floor:>14}    {short:>29}    {long:>8}");
    }
    text
}

/// A share in percent, with two digits that count.
fn share(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = if percent < 0.1 {
        3
    } else if percent < 1.0 {
        2
    } else {
        1
    };
    format!("{percent:.decimals$} %")
}

fn conclusion(findings: &[Finding], noise: &[Noise]) -> String {
    let number = findings.iter().filter(|finding| finding.state == State::Disturbs).count();
    let disturbs = match number {
        0 => "Nothing that is known disturbs measurements here".to_owned(),
        number => format!("{} measurements here", counted_verb(number)),
    };
    let worst = noise.iter().map(|noise| noise.seen_in_long).fold(0.0, f64::max);
    format!(
        "{disturbs}; a change of {} or more can be seen in 1 s. Between launches figures differ by more than within one.\n\
         Nothing was changed.\n",
        share(worst)
    )
}

fn counted_verb(number: usize) -> String {
    format!("{} {}", counted(number, "thing"), if number == 1 { "disturbs" } else { "disturb" })
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u64,
    cargo_nanobench: &'static str,
    cpu: Option<&'a str>,
    cores: Option<usize>,
    findings: &'a [Finding],
    noise: Vec<NoiseOf>,
}

/// In percent.
#[derive(Debug, Serialize)]
struct NoiseOf {
    work: &'static str,
    floor: f64,
    seen_in_100_ms: f64,
    seen_in_1_s: f64,
}

/// The same as one JSON document, with a newline at its end.
pub(crate) fn json(
    cpu: Option<&str>,
    cores: Option<usize>,
    findings: &[Finding],
    noise: &[Noise],
) -> Result<String, serde_json::Error> {
    let noise = noise.iter().map(|noise| NoiseOf {
        work: noise.work,
        floor: noise.floor * 100.0,
        seen_in_100_ms: noise.seen_in_short * 100.0,
        seen_in_1_s: noise.seen_in_long * 100.0,
    });
    let cargo_nanobench = env!("CARGO_PKG_VERSION");
    let document = Document { format: FORMAT, cargo_nanobench, cpu, cores, findings, noise: noise.collect() };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings() -> Vec<Finding> {
        vec![
            Finding::disturbs("governor", "powersave", "set it"),
            Finding::fine("SMT", "off"),
            Finding::not_known("turbo"),
        ]
    }

    fn noise() -> Vec<Noise> {
        vec![
            Noise { work: "chain", floor: 0.000_1, seen_in_short: 0.000_36, seen_in_long: 0.000_11 },
            Noise { work: "mixed", floor: 0.004, seen_in_short: 0.014_4, seen_in_long: 0.005 },
        ]
    }

    #[test]
    fn a_table_for_people() {
        let expected = "  governor  disturbs   powersave\n\
                        \x20             set it\n\
                        \x20 SMT       fine       off\n\
                        \x20 turbo     not known\n\
                        \n\
                        The same work beside itself, in one process:\n\
                        \n\
                        \x20            noise of 0.1 s    smallest change seen in 0.1 s      in 1 s\n\
                        \x20 chain             0.010 %                          0.036 %     0.011 %\n\
                        \x20 mixed              0.40 %                            1.4 %      0.50 %\n\
                        \n\
                        1 thing disturbs measurements here; a change of 0.50 % or more can be seen in 1 s. Between launches figures \
                        differ by more than within one.\n\
                        Nothing was changed.\n";
        let text = anstream::adapter::strip_str(&table(&findings(), &noise())).to_string();
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn a_document_for_programs() {
        let text = json(Some("A CPU"), Some(2), &findings(), &noise()).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["findings"][0]["state"], "disturbs");
        assert_eq!(document["findings"][2]["state"], "not known");
        assert_eq!(document["noise"][1]["seen_in_1_s"], 0.5);
        assert_eq!((&document["cpu"], &document["cores"]), (&"A CPU".into(), &2.into()));
    }
}
