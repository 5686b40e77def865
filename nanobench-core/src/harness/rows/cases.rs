//! The rows that a function makes of itself, each in all ways that are asked for.

use super::conditions::{self, RequestedConditions, RunConditions};
use super::layers::Layers;
use super::{Row, Work};
use crate::harness::guarded::quietly;
use crate::measure::Caches;
use crate::model::{BenchmarkSpec, ComplexityInput, CustomCurve};
use crate::registry::{Body, Case, Cases, Complexity, Entry, Made};
use std::cell::RefCell;
use std::rc::Rc;

/// A case of a function.
pub(super) struct FunctionCase {
    /// What tells it from the others.
    case: Option<String>,
    /// Its size, where it is a number.
    number: Option<f64>,
    /// How many units an operation does, where only the case knows.
    units: Option<u64>,
    /// Why it can't run on several threads at once.
    alone: Option<&'static str>,
    /// What runs, or why nothing does.
    work: Result<Work, String>,
}

/// The cases of a function.
pub(super) fn of(entry: &Entry) -> Vec<FunctionCase> {
    let makes = match entry.body {
        Body::Plain(run) => {
            let work = Ok(Work::Plain(run));
            return vec![FunctionCase { case: None, number: None, units: None, alone: None, work }];
        }
        Body::Cases(makes) => makes,
    };
    let made = quietly(|| Cases::made_by(makes)).unwrap_or_else(|panic| {
        let problem = format!("its arguments could not be made: {panic}");
        vec![Made { case: None, number: None, work: Err(problem) }]
    });
    let of_function = |Made { case, number, work }| FunctionCase {
        case,
        number,
        units: work.as_ref().ok().and_then(Case::units),
        alone: work.as_ref().ok().and_then(Case::alone),
        work: work.map(|work| Work::Case(Rc::new(RefCell::new(work)))),
    };
    made.into_iter().map(of_function).collect()
}

impl FunctionCase {
    /// Its rows.
    pub(super) fn rows(
        self,
        entry: &'static Entry,
        layers: &Layers,
        asked: &RequestedConditions,
    ) -> Vec<Row> {
        let FunctionCase { case, number, units, alone, work } = self;
        let (work, problem) = match work {
            Ok(work) => (work, None),
            Err(problem) => (Work::None, Some(problem)),
        };
        let (complexity, too_few) = match layers.complexity().map(|complexity| size(complexity, number)) {
            None => (None, None),
            Some(Ok(size)) => (size, None),
            Some(Err(problem)) => (None, Some(problem)),
        };
        let conditions = match problem.or(too_few) {
            Some(problem) => Err(problem),
            None => asked.conditions(layers.cache(), layers.threads(), alone),
        };
        let (conditions, problem) = match conditions {
            Ok(conditions) => (conditions, None),
            // There is nothing to run in any way.
            Err(problem) => (vec![RunConditions::PLAIN], Some(problem)),
        };
        let common = BenchmarkSpec { complexity, problem, ..layers.describe(entry, units) };
        let row = |way: RunConditions| {
            let caches = match way.caches {
                conditions::Caches::Left => None,
                conditions::Caches::Emptied(size) => Some(Caches::with_size(size)),
            };
            let case =
                case.clone().into_iter().chain(way.label()).reduce(|case, way| format!("{case}/{way}"));
            let path = &common.path;
            let benchmark = BenchmarkSpec {
                path: case.as_ref().map_or_else(|| path.clone(), |case| format!("{path}/{case}")),
                case,
                cache: caches.map(|_| "cold".to_owned()),
                wipe_size: caches.map(Caches::size),
                threads: way.threads.map(|threads| threads as u64),
                ..common.clone()
            };
            Row { benchmark, entry, way, caches, work: work.clone() }
        };
        conditions.into_iter().map(row).collect()
    }
}

/// The size of a row whose number is `n`, for a fit; none where no curve can go through it; or why there is none.
fn size(complexity: Complexity, n: Option<f64>) -> Result<Option<ComplexityInput>, String> {
    let n = n.ok_or("its complexity needs a number for each row: an argument or a constant")?;
    let custom = complexity.custom.map(|(name, curve)| {
        let (value, problem) = match quietly(|| curve(n)) {
            Ok(value) if value.is_finite() => (Some(value), None),
            // The logarithm of 0.
            Ok(value) => (None, Some(format!("for {n} it is {value}"))),
            Err(panic) => (None, Some(format!("for {n} it {panic}"))),
        };
        CustomCurve { name: name.to_owned(), value, problem }
    });
    Ok(n.is_finite().then_some(ComplexityInput { n, custom }))
}
