//! Measuring the benchmarks of one build, one after the other, beside stored figures where there are some.

use super::suite::Harness;
use super::{Comparison, Found, Outcome, Row, Suite};
use crate::session::{self, Stopped, Treatment};
use nanobench::measure::{self, Plan};
use nanobench::model::{Launch, Measurement};
use nanobench::summary::Summary;

/// In how many launches a benchmark that looks changed is measured.
const LAUNCHES_TO_CALL: usize = 3;

/// Why a benchmark has no figure.
#[derive(Debug, thiserror::Error)]
enum NoFigure {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Session(#[from] session::Error),
    #[error("no samples")]
    NoSamples,
}

/// What stored figures there are for a benchmark.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored<'a> {
    pub(crate) measurement: &'a Measurement,
    /// They come from an executable of the same bytes.
    pub(crate) identical: bool,
}

/// A run of one build.
#[derive(Debug)]
pub(crate) struct Solo {
    pub(crate) plan: Plan,
    pub(crate) treatment: Treatment,
}

impl Solo {
    /// Measures `found` and compares it. `comparing`: there is a baseline, which may or may not have this benchmark.
    /// `None` where Ctrl-C came first.
    pub(crate) fn row(
        &self,
        suite: &mut Suite,
        found: &Found,
        comparing: bool,
        stored: Option<Stored<'_>>,
    ) -> Option<Row> {
        let harness = &mut suite.harnesses[found.harness];
        let result = self.measure_and_compare(harness, found, stored);
        let benchmark = found.clone();
        let row = match result {
            Err(error) if error.is_interruption() => return None,
            Err(error) => {
                let comparison = stored.map(|stored| Comparison::failed(stored.measurement));
                Row { benchmark, outcome: Outcome::Failed(error.to_string()), comparison }
            }
            Ok((measurement, summary, comparison)) => {
                let comparison = comparison.or_else(|| comparing.then(Comparison::new_benchmark));
                Row { benchmark, outcome: Outcome::Measured { measurement, summary }, comparison }
            }
        };
        Some(row)
    }

    fn measure_and_compare(
        &self,
        harness: &mut Harness,
        found: &Found,
        stored: Option<Stored<'_>>,
    ) -> Result<(Measurement, Summary, Option<Comparison>), NoFigure> {
        // The baseline's count: other counts are other amounts of work for some benchmarks.
        let count = stored.filter(|_| found.benchmark.counted).map(|stored| stored.measurement.count);
        let (count, launch) = self.launch(harness, found, count)?;
        let mut measurement = Measurement { count, launches: vec![launch] };
        let compare = |measurement: &Measurement| {
            stored.map(|stored| Comparison::with_stored(stored.measurement, measurement, stored.identical))
        };
        let mut comparison = compare(&measurement);
        while measurement.launches.len() < LAUNCHES_TO_CALL
            && comparison.as_ref().is_some_and(Comparison::calls_a_change)
        {
            harness.end_session();
            let (_, launch) = self.launch(harness, found, Some(count).filter(|_| found.benchmark.counted))?;
            measurement.launches.push(launch);
            comparison = compare(&measurement);
        }
        let summary = Summary::of(&measurement).ok_or(NoFigure::NoSamples)?;
        Ok((measurement, summary, comparison))
    }

    /// The count and the samples of one launch.
    fn launch(
        &self,
        harness: &mut Harness,
        found: &Found,
        count: Option<u64>,
    ) -> Result<(u64, Launch), NoFigure> {
        let session = harness.session(self.treatment)?;
        match measure::measure(&mut session.benchmark(found.index), &self.plan, count) {
            Ok((count, taken)) => {
                let (clock, nothing) = (harness.clock.clone(), harness.nothing);
                Ok((
                    count,
                    Launch { clock, segment_cost: taken.segment_cost, nothing, samples: taken.samples },
                ))
            }
            Err(stopped) => {
                if !stopped.leaves_process() {
                    harness.end_session();
                }
                Err(stopped.into())
            }
        }
    }
}

impl NoFigure {
    fn is_interruption(&self) -> bool {
        match self {
            NoFigure::Stopped(stopped) => stopped.is_interruption(),
            NoFigure::Session(error) => error.is_interruption(),
            NoFigure::NoSamples => false,
        }
    }
}
