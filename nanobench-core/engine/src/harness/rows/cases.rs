//! The rows of a function: its cases, each under all requested conditions.

use super::Row;
use super::conditions::RequestedConditions;
use super::function_settings::FunctionSettings;
use crate::harness::guarded::quietly;
use crate::measure::{Caches, Preparation};
use crate::model::{BenchmarkSpec, CacheState, ComplexityInput, CustomCurve, RowId, RunConditions};
use crate::registry::{Body, Case, Cases, Entry, LabeledCase, SizeLabel};
use std::cell::RefCell;
use std::rc::Rc;

/// Returns the cases of a function.
pub(super) fn cases(entry: &Entry) -> Vec<LabeledCase> {
    let add_rows = |cases: &mut Cases| match entry.body {
        Body::Plain(run) => cases.add(Case::shared(run)),
        Body::Cases(add_rows) => add_rows(cases),
    };
    quietly(|| Cases::collect(add_rows)).unwrap_or_else(|panic| {
        let problem = format!("its arguments could not be made: {panic}");
        vec![LabeledCase { labels: vec![], size: None, case: Err(problem) }]
    })
}

/// Returns the rows of a case: one for each of the conditions under which it runs.
pub(super) fn rows(
    case: LabeledCase,
    entry: &'static Entry,
    settings: &FunctionSettings,
    requested: &RequestedConditions,
) -> Vec<Row> {
    let LabeledCase { labels, size, case } = case;
    let mut common = settings.describe(entry, case.as_ref().ok());
    common.id.labels = labels;
    let counters = settings.first(&|settings| Some(settings.counters).filter(|names| !names.is_empty()));
    common.counters = requested.counters(counters);
    let prepared = case.and_then(|case| {
        common.complexity = complexity_input(entry, settings, size)?;
        let cache = settings.first(&|settings| settings.cache);
        let threads = settings.first(&|settings| settings.threads);
        let conditions = requested.conditions(cache, threads, case.single_thread_reason())?;
        Ok((Some(Rc::new(RefCell::new(case))), conditions))
    });
    let (case, conditions) = prepared.unwrap_or_else(|problem| {
        // One row shows the problem.
        common.problem = Some(problem);
        (None, vec![RunConditions::default()])
    });
    let between = settings.first(&|settings| settings.between);
    let mut rows = Vec::new();
    for conditions in conditions {
        let is_cold = conditions.cache == CacheState::Cold;
        let caches = is_cold.then(|| Caches::with_size(conditions.wipe_size));
        let benchmark = BenchmarkSpec {
            id: RowId { conditions, ..common.id.clone() },
            wipe_size: caches.map(Caches::size),
            ..common.clone()
        };
        let (preparation, amounts) = (Preparation { between, caches }, settings.amounts());
        rows.push(Row { benchmark, entry, preparation, amounts, case: case.clone() });
    }
    rows
}

/// Returns the input of a complexity fit; `None` without one, and for a size that no curve can go
/// through.
fn complexity_input(
    entry: &Entry,
    settings: &FunctionSettings,
    size: Option<SizeLabel>,
) -> Result<Option<ComplexityInput>, String> {
    let complexity = settings.first(&|settings| settings.complexity);
    let (n, label) = match (entry.settings.complexity_n, size) {
        (Some(fixed), _) => (fixed as f64, None),
        (None, Some(size)) if complexity.is_some() => (size.value, Some(size.index as u64)),
        (None, None) if entry.settings.complexity.is_some() => {
            return Err("its complexity needs a number for each row: an argument or a constant".to_owned());
        }
        _ => return Ok(None),
    };
    let custom = complexity.and_then(|complexity| complexity.custom).map(|(name, curve)| {
        let (value, problem) = match quietly(|| curve(n)) {
            Ok(value) if value.is_finite() => (Some(value), None),
            // The logarithm of 0.
            Ok(value) => (None, Some(format!("for {n} it is {value}"))),
            Err(panic) => (None, Some(format!("for {n} it {panic}"))),
        };
        CustomCurve { name: name.to_owned(), value, problem }
    });
    Ok(n.is_finite().then_some(ComplexityInput { n, label, custom }))
}
