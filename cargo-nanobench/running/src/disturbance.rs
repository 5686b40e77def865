//! Disturbances of a run by other work on the machine. One cause shows in many places: in the load
//! that the system reports, in the processor's pace, and in the samples of all benchmarks. So its
//! symptoms are collected, ranked, and reported in one line, with the advice for the first of them.

use crate::environment::load::{Load, Pressure};
use nanobench::report::change;
use std::fmt;

/// The smallest number of benchmarks of which most aren't noisy by chance.
const MIN_BENCHMARKS: usize = 4;

/// A disturbance of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Disturbance {
    /// At least one, and the most telling first.
    symptoms: Vec<Symptom>,
    /// The run waited for a quiet machine (`--wait-quiet`) before it began.
    has_waited: bool,
}

/// A sign that other work disturbed the run. Those that name a cause come first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Symptom {
    Busy(Pressure),
    /// At the end of the run, the same instructions took this much longer, as a share.
    Pace(f64),
    /// The samples of most benchmarks vary.
    Noise(NoisyFigures),
}

/// The benchmarks of a run whose samples vary as if something disturbed them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoisyFigures {
    pub noisy: usize,
    pub all: usize,
}

impl Disturbance {
    /// Returns the disturbance that these symptoms show, if any. `drift`: the change of the
    /// processor's pace.
    pub fn find(
        load: Option<&Load>,
        drift: Option<f64>,
        figures: NoisyFigures,
        has_waited: bool,
    ) -> Option<Disturbance> {
        let pressures = load.map(Load::pressures).unwrap_or_default();
        let symptoms: Vec<Symptom> = pressures
            .into_iter()
            .map(Symptom::Busy)
            .chain(drift.map(Symptom::Pace))
            .chain(figures.are_most().then_some(Symptom::Noise(figures)))
            .collect();
        (!symptoms.is_empty()).then_some(Disturbance { symptoms, has_waited })
    }

    /// Returns a sentence about each symptom, the most telling first. Only the first one has
    /// advice: what helps against it helps against the others.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        self.symptoms.iter().enumerate().map(|(place, symptom)| match place {
            0 => format!("{symptom}: {}", symptom.advice(self.has_waited)),
            _ => symptom.to_string(),
        })
    }
}

impl NoisyFigures {
    /// Returns whether most benchmarks are noisy, which doesn't happen in an undisturbed run.
    fn are_most(self) -> bool {
        self.all >= MIN_BENCHMARKS && 2 * self.noisy > self.all
    }
}

impl Symptom {
    /// Returns the advice that helps against the cause. To wait again doesn't.
    fn advice(self, has_waited: bool) -> &'static str {
        match self {
            Symptom::Busy(Pressure::OtherPrograms { .. }) if has_waited => "close them, or try later",
            Symptom::Busy(Pressure::Waiting(_)) if has_waited => "close other programs, or try later",
            Symptom::Busy(Pressure::OtherPrograms { .. } | Pressure::Waiting(_)) => "use --wait-quiet 60s",
            Symptom::Busy(Pressure::Paused(_)) => "raise or remove it",
            Symptom::Busy(Pressure::Stolen(_)) => "measure later, or compare with --baseline or --against",
            Symptom::Pace(_) => "see `cargo nanobench doctor`",
            Symptom::Noise(_) => "measure for longer (--max-time 1s), or see `cargo nanobench doctor`",
        }
    }
}

impl fmt::Display for Symptom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symptom::Busy(pressure) => pressure.fmt(f),
            Symptom::Pace(drift) => {
                let by = change(*drift);
                write!(f, "the processor's pace changed (at the end, the same instructions took {by})")
            }
            Symptom::Noise(NoisyFigures { noisy, all }) => {
                write!(f, "noisy run (the samples of {noisy} of {all} benchmarks vary)")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use project::fixtures::load;

    const QUIET: NoisyFigures = NoisyFigures { noisy: 1, all: 8 };

    fn found(others: f64, drift: Option<f64>, noisy: usize) -> Vec<String> {
        let disturbance =
            Disturbance::find(Some(&load(others)), drift, NoisyFigures { noisy, ..QUIET }, false);
        let symptoms = disturbance.iter().flat_map(|disturbance| &disturbance.symptoms);
        symptoms.map(ToString::to_string).collect()
    }

    #[test]
    fn symptoms_that_name_the_cause_come_first() {
        let all = found(0.75, Some(0.08), 7);
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(all[0].contains("other programs") && all[1].contains("pace") && all[2].contains("7 of 8"));
        assert_eq!(found(0.0, Some(0.08), 7)[0], all[1]);
        assert_eq!(found(0.0, None, 7), all[2..]);
        assert_eq!(found(0.0, None, 4), [""; 0], "half of them may be noisy by themselves");
    }

    #[test]
    fn the_line_has_the_first_symptom_and_fits_a_terminal() {
        let line = |has_waited| {
            let found = Disturbance::find(Some(&load(0.75)), Some(0.08), QUIET, has_waited).unwrap();
            found.sentences().next().unwrap()
        };
        assert_eq!(line(false), "other programs use 1.5 of 2 cores: use --wait-quiet 60s");
        assert_eq!(line(true), "other programs use 1.5 of 2 cores: close them, or try later");
        for line in [line(false), line(true)] {
            assert!("warning: ".len() + line.len() + " (more: -v)".len() <= 80, "{line}");
        }
    }

    #[test]
    fn a_few_benchmarks_show_no_disturbance() {
        let noisy = |noisy, all| Disturbance::find(None, None, NoisyFigures { noisy, all }, false).is_some();
        assert!(!noisy(3, 3) && !noisy(2, 4) && noisy(3, 4));
    }
}
