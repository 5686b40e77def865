//! The rows that a function makes of itself, each in all ways that are asked for.

use super::conditions::RequestedConditions;
use super::function_settings::FunctionSettings;
use super::{Row, Work};
use crate::harness::guarded::quietly;
use crate::measure::Caches;
use crate::model::{BenchmarkSpec, CacheState, ComplexityInput, CustomCurve, RowId, RunConditions};
use crate::registry::{Body, Case, Cases, Complexity, Entry, LabeledCase, SizeLabel};
use std::cell::RefCell;
use std::rc::Rc;

/// A case of a function.
pub(super) struct FunctionCase {
    labels: Vec<String>,
    size: Option<SizeLabel>,
    /// Units of an operation, if the case has a `batch` of its own.
    units: Option<u64>,
    /// The reason why it can't run on several threads at once.
    single_threaded: Option<&'static str>,
    /// The code to run, or the reason why there is none.
    work: Result<Work, String>,
}

impl FunctionCase {
    /// Returns the cases of a function.
    pub(super) fn all(entry: &Entry) -> Vec<FunctionCase> {
        let add_rows = match entry.body {
            Body::Plain(run) => {
                let work = Ok(Work::Plain(run));
                return vec![FunctionCase {
                    labels: vec![],
                    size: None,
                    units: None,
                    single_threaded: None,
                    work,
                }];
            }
            Body::Cases(add_rows) => add_rows,
        };
        let cases = quietly(|| Cases::collect(add_rows)).unwrap_or_else(|panic| {
            let problem = format!("its arguments could not be made: {panic}");
            vec![LabeledCase { labels: vec![], size: None, case: Err(problem) }]
        });
        cases.into_iter().map(FunctionCase::new).collect()
    }

    fn new(LabeledCase { labels, size, case }: LabeledCase) -> FunctionCase {
        FunctionCase {
            labels,
            size,
            units: case.as_ref().ok().and_then(Case::units),
            single_threaded: case.as_ref().ok().and_then(Case::single_thread_reason),
            work: case.map(|case| Work::Case(Rc::new(RefCell::new(case)))),
        }
    }

    /// Returns its rows: one for each of the conditions under which it runs.
    pub(super) fn rows(
        self,
        entry: &'static Entry,
        settings: &FunctionSettings,
        requested: &RequestedConditions,
    ) -> Vec<Row> {
        let FunctionCase { labels, size, units, single_threaded, work } = self;
        let (work, problem) = match work {
            Ok(work) => (work, None),
            Err(problem) => (Work::None, Some(problem)),
        };
        let complexity = settings.complexity().map(|complexity| complexity_input(complexity, size));
        let (complexity, no_size) = match complexity {
            None => (None, None),
            Some(Ok(input)) => (input, None),
            Some(Err(problem)) => (None, Some(problem)),
        };
        let conditions = match problem.or(no_size) {
            Some(problem) => Err(problem),
            None => requested.conditions(settings.cache(), settings.threads(), single_threaded),
        };
        let (conditions, problem) = match conditions {
            Ok(conditions) => (conditions, None),
            // One row shows the problem.
            Err(problem) => (vec![RunConditions::default()], Some(problem)),
        };
        let mut common = BenchmarkSpec { complexity, problem, ..settings.describe(entry, units) };
        common.id.labels = labels;
        let row = |conditions: RunConditions| {
            let is_cold = conditions.cache == CacheState::Cold;
            let caches = is_cold.then(|| Caches::with_size(conditions.wipe_size));
            let benchmark = BenchmarkSpec {
                id: RowId { conditions, ..common.id.clone() },
                wipe_size: caches.map(Caches::size),
                ..common.clone()
            };
            Row { benchmark, entry, caches, work: work.clone() }
        };
        conditions.into_iter().map(row).collect()
    }
}

/// Returns the input of a complexity fit; `None` for a size that no curve can go through.
fn complexity_input(
    complexity: Complexity,
    size: Option<SizeLabel>,
) -> Result<Option<ComplexityInput>, String> {
    let SizeLabel { index, value: n } =
        size.ok_or("its complexity needs a number for each row: an argument or a constant")?;
    let custom = complexity.custom.map(|(name, curve)| {
        let (value, problem) = match quietly(|| curve(n)) {
            Ok(value) if value.is_finite() => (Some(value), None),
            // The logarithm of 0.
            Ok(value) => (None, Some(format!("for {n} it is {value}"))),
            Err(panic) => (None, Some(format!("for {n} it {panic}"))),
        };
        CustomCurve { name: name.to_owned(), value, problem }
    });
    Ok(n.is_finite().then_some(ComplexityInput { n, label: index as u64, custom }))
}
