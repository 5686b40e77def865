//! The rows of the marked functions.

mod baseline;
mod cases;
mod conditions;
mod function_settings;

pub(super) use conditions::RequestedConditions;

use super::guarded::guarded;
use super::runnable::Runnable;
use crate::counters::Counters;
use crate::measure::{
    self, Bencher, Calibration, CalibrationRequest, Count, CountRequest, Engine, Preparation, SampleBatch,
    SampleRequest,
};
use crate::model::{BenchmarkSpec, Counts, KeyValue, RowId, ThroughputUnit};
use crate::protocol::TeardownFailure;
use crate::registry::{self, Case, Entry, Group};
use function_settings::FunctionSettings;
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::rc::Rc;

/// A benchmark: a row of the listing.
#[derive(Debug)]
pub(super) struct Row {
    /// Its description.
    pub(super) benchmark: BenchmarkSpec,
    /// The function.
    pub(super) entry: &'static Entry,
    /// The work before each iteration.
    preparation: Preparation,
    /// Amounts that an iteration works on, if the function reports no others.
    amounts: Vec<(ThroughputUnit, u64)>,
    /// The code to run, which rows that differ in their conditions share. `None` if the description
    /// has a problem.
    case: Option<Rc<RefCell<Case>>>,
}

impl Runnable for Row {
    fn benchmark(&self) -> &BenchmarkSpec {
        &self.benchmark
    }

    fn calibrate(&self, engine: &Engine, request: &CalibrationRequest) -> Calibration {
        // Of several operations in a call, only the first would be after that work.
        let (count, request) = match self.entry.count {
            Count::Auto if self.preparation.is_some() => {
                (Count::Fixed(1), &CalibrationRequest { count: None, ..*request })
            }
            count => (count, request),
        };
        self.enter(|run| measure::calibrate(engine, run, count, request))
    }

    fn sample(&self, engine: &Engine, request: &SampleRequest) -> SampleBatch {
        self.enter(|run| measure::sample(engine, run, request))
    }

    fn count(&self, engine: &Engine, request: &CountRequest, counters: Counters) -> Counts {
        self.enter(|run| measure::count(engine, run, request, counters))
    }
}

impl Row {
    /// Runs a sample without emptying the caches.
    pub(super) fn run_with_warm_caches(&self, bencher: &mut Bencher) {
        // A function may find that it can't run here.
        _ = self.prepared(Preparation::default(), |run| run(bencher));
    }

    /// Passes the code that runs a sample to `take_samples`.
    ///
    /// # Panics
    /// If the function never gets to its benchmark.
    fn enter<T>(&self, take_samples: impl FnOnce(&mut dyn FnMut(&mut Bencher)) -> T) -> T {
        let taken = self.prepared(self.preparation, take_samples);
        // It is the function's fault, so no place in this crate is shown.
        taken.unwrap_or_else(|| resume_unwind(Box::new("it called nothing by its `Bencher`")))
    }

    /// Passes the code that runs a sample to `take_samples`. Returns `None` if the function never gets to
    /// its benchmark.
    fn prepared<T>(
        &self,
        preparation: Preparation,
        take_samples: impl FnOnce(&mut dyn FnMut(&mut Bencher)) -> T,
    ) -> Option<T> {
        let (mut take_samples, mut taken) = (Some(take_samples), None);
        let threads = self.benchmark.id.conditions.threads.map(|threads| threads as usize);
        let mut enter = |run: &mut dyn FnMut(&mut Bencher)| {
            let mut sample = |bencher: &mut Bencher| {
                bencher.prepare(preparation);
                run(bencher);
                bencher.add_missing_throughput(&self.amounts);
            };
            taken = take_samples.take().map(|take_samples| take_samples(&mut sample)).or(taken.take());
        };
        match &self.case {
            Some(case) => case.borrow_mut().enter(threads, &mut enter),
            None => enter(&mut |_| {}),
        }
        taken
    }

    /// Tears its state down, if it has one.
    pub(super) fn tear_down(&self) {
        if let Some(case) = &self.case {
            case.borrow_mut().tear_down();
        }
    }
}

/// Tears down the state that rows keep until the end. Returns the teardowns that panicked.
pub(super) fn tear_down(rows: &[Row]) -> Vec<TeardownFailure> {
    let mut failures = Vec::new();
    for row in rows {
        if let Err(panic) = guarded(|| row.tear_down()) {
            failures.push(TeardownFailure { row: row.benchmark.id.clone(), panic });
        }
    }
    failures
}

/// Returns all rows, in the order of the source.
pub(super) fn all(requested: &RequestedConditions) -> Vec<Row> {
    from_entries(registry::entries(), &registry::groups(), requested)
}

/// Returns the counters of the rows that can't be read here, with the reasons.
pub(super) fn unreadable_counters(rows: &[Row]) -> Vec<KeyValue> {
    let mut names: Vec<String> = Vec::new();
    for name in rows.iter().flat_map(|row| row.benchmark.counters.iter().flatten()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    Counters::open(&names).1
}

/// Removes the counters that can't be read here from the rows. Returns them with the reasons.
#[inline]
pub(super) fn remove_unreadable_counters(rows: &mut [Row]) -> Vec<KeyValue> {
    let unreadable = unreadable_counters(rows);
    for counters in rows.iter_mut().filter_map(|row| row.benchmark.counters.as_mut()) {
        counters.retain(|name| !unreadable.iter().any(|pair| pair.key == *name));
    }
    unreadable
}

/// Returns one row, for a process that runs only that row. The arguments of other functions are not
/// made, and the row has no baseline.
pub(super) fn only(id: &RowId, requested: &RequestedConditions) -> Vec<Row> {
    select(registry::unordered_entries(), &registry::groups(), requested, id)
}

fn select(
    entries: Vec<&'static Entry>,
    groups: &[&Group],
    requested: &RequestedConditions,
    id: &RowId,
) -> Vec<Row> {
    let mut entries = entries;
    entries.retain(|entry| entry.is_function_of(id));
    let mut selected = Vec::new();
    for entry in registry::in_source_order(entries) {
        selected.append(&mut rows(entry, &FunctionSettings::new(entry, groups), requested));
    }
    number_functions_alike(&mut selected);
    selected.retain(|row| row.benchmark.id == *id);
    selected
}

/// Returns the rows of a function for a smoke test.
pub(super) fn smoke_test_rows(entry: &'static Entry) -> Vec<Row> {
    rows(entry, &FunctionSettings::new(entry, &registry::groups()), &RequestedConditions::warm())
}

/// Returns the rows of all functions with their baselines.
pub(super) fn from_entries(
    entries: Vec<&'static Entry>,
    groups: &[&Group],
    requested: &RequestedConditions,
) -> Vec<Row> {
    let mut all = Vec::new();
    let mut baselines = Vec::new();
    for &entry in &entries {
        let settings = FunctionSettings::new(entry, groups);
        let mut rows = rows(entry, &settings, requested);
        if let Some(baseline) = settings.baseline() {
            baselines.push((all.len()..all.len() + rows.len(), baseline));
        }
        all.append(&mut rows);
    }
    number_functions_alike(&mut all);
    for (rows, (path, module)) in baselines {
        baseline::resolve(&entries, &mut all, rows, path, module);
    }
    all
}

/// Returns the rows of a function: each of its cases under each of the requested conditions.
fn rows(entry: &'static Entry, settings: &FunctionSettings, requested: &RequestedConditions) -> Vec<Row> {
    let mut rows = Vec::new();
    for case in cases::cases(entry) {
        rows.append(&mut cases::rows(case, entry, settings, requested));
    }
    number_alike(rows.iter_mut().map(|row| &mut row.benchmark.id));
    rows
}

/// Numbers the ids of functions that may have the same path as others.
fn number_functions_alike(rows: &mut [Row]) {
    for i in 0..rows.len() {
        let (before, rest) = rows.split_at_mut(i);
        let row = &mut rest[0];
        let id = &mut row.benchmark.id;
        while row.entry.may_be_alike && before.iter().any(|other| other.benchmark.id == *id) {
            id.number = Some(id.number.unwrap_or(1) + 1);
        }
    }
}

/// Numbers ids whose texts would be equal, because of equal labels or of a label that looks like
/// conditions.
fn number_alike<'a>(ids: impl Iterator<Item = &'a mut RowId>) {
    // In order, each with the last number that it got. A map takes longer to compile.
    let mut taken: Vec<(String, u64)> = Vec::new();
    let find = |taken: &[(String, u64)], text: &str| taken.binary_search_by(|(other, _)| (**other).cmp(text));
    for id in ids {
        let text = id.case();
        let alike = match find(&taken, &text) {
            Ok(alike) => alike,
            Err(index) => {
                taken.insert(index, (text, 1));
                continue;
            }
        };
        let (index, text) = loop {
            taken[alike].1 += 1;
            id.number = Some(taken[alike].1);
            let text = id.case();
            if let Err(index) = find(&taken, &text) {
                break (index, text);
            }
        };
        taken.insert(index, (text, 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CacheState, CacheStates, RunConditions};
    use crate::protocol::{Conditions, List};
    use crate::registry::{Body, Cases, Label};
    use crate::time::{Clock, scripted};
    use std::cell::Cell;

    thread_local!(static MADE: Cell<bool> = const { Cell::new(false) });

    fn of_two(cases: &mut Cases) {
        let label = |arg: &i32, index| Label::from_value(arg, Some(arg.to_string()), index);
        cases.each([1, 2], label, |cases, _| cases.add(Case::new(|_| {})));
    }

    #[test]
    fn a_chosen_count_is_one_in_cold_rows() {
        let body = Body::Plain(|bencher| bencher.call(|count| scripted::advance(3 * count)));
        let entry = Entry { module_path: "k", function: "f", body, count: Count::Auto, ..Entry::DEFAULT };
        let (cache, wipe_sizes) = (Some(CacheStates::Both), Some(vec![1_280]));
        let conditions = Conditions { cache, wipe_sizes, ..Conditions::default() };
        let list = List { conditions, ..List::default() };
        let conditions = RequestedConditions::from_request(&list).unwrap();
        let rows = from_entries(vec![&*Box::leak(Box::new(entry))], &[], &conditions);
        scripted::set_read_cost(0);
        let engine = Engine::with_clock(Clock::Scripted);
        let request = CalibrationRequest { sample_time: 1e4, ..CalibrationRequest::default() };
        let counts: Vec<u64> = rows.iter().map(|row| row.calibrate(&engine, &request).count).collect();
        assert_eq!(counts, [10_000, 1]);
    }

    #[test]
    fn other_functions_make_no_rows_for_a_single_row() {
        let entry = |function, makes| {
            let body = Body::Cases(makes);
            &*Box::leak(Box::new(Entry { module_path: "k::a", function, body, ..Entry::DEFAULT }))
        };
        let selected = |function: &str, label: &str| {
            let others: fn(&mut Cases) = |_| MADE.set(true);
            let entries =
                vec![entry("other", others), entry("f", of_two), entry("f2", others), entry("fg", of_two)];
            let id = RowId {
                modules: "a".into(),
                function: function.into(),
                labels: vec![label.into()],
                ..RowId::default()
            };
            let rows = select(entries, &[], &RequestedConditions::default(), &id);
            rows.into_iter().map(|row| row.benchmark.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(selected("f", "2"), ["a::f/2"]);
        assert_eq!(selected("fg", "1"), ["a::fg/1"]);
        assert!(selected("f", "3").is_empty() && !MADE.get());
    }

    #[test]
    fn a_function_without_a_benchmark_fails_only_where_it_is_measured() {
        let body = Body::Cases(|cases| cases.add(Case::scoped(|_| {})));
        let entry = &*Box::leak(Box::new(Entry { module_path: "k", function: "f", body, ..Entry::DEFAULT }));
        let rows = from_entries(vec![entry], &[], &RequestedConditions::default());
        rows[0].run_with_warm_caches(&mut Bencher::new(Clock::Scripted, 1, 1, 1));
        scripted::set_read_cost(0);
        let engine = Engine::with_clock(Clock::Scripted);
        let measured = guarded(|| rows[0].calibrate(&engine, &CalibrationRequest::default()));
        assert!(measured.unwrap_err().ends_with("panicked: it called nothing by its `Bencher`"));
    }

    #[test]
    fn functions_of_one_path_are_numbered_in_the_order_of_the_source() {
        let entry = |line, may_be_alike| {
            let entry = Entry { module_path: "k", function: "f", line, may_be_alike, ..Entry::DEFAULT };
            &*Box::leak(Box::new(Entry { body: Body::Cases(of_two), ..entry }))
        };
        let ids = |rows: Vec<Row>| {
            rows.iter().map(|row| format!("{} {}", row.benchmark.id, row.benchmark.line)).collect::<Vec<_>>()
        };
        let requested = RequestedConditions::default();
        let rows = from_entries(vec![entry(1, true), entry(2, true)], &[], &requested);
        assert_eq!(ids(rows), ["f/1 1", "f/2 1", "f/1#2 2", "f/2#2 2"]);
        let id =
            RowId { function: "f".into(), labels: vec!["2".into()], number: Some(2), ..RowId::default() };
        assert_eq!(ids(select(vec![entry(2, true), entry(1, true)], &[], &requested, &id)), ["f/2#2 2"]);
        let others = from_entries(vec![entry(1, false), entry(2, false)], &[], &requested);
        assert_eq!(ids(others), ["f/1 1", "f/2 1", "f/1 2", "f/2 2"], "the tool reports them");
    }

    #[test]
    fn ids_that_would_read_the_same_are_numbered() {
        let cold = RunConditions { cache: CacheState::Cold, ..RunConditions::default() };
        let id =
            |label: &str, conditions| RowId { labels: vec![label.into()], conditions, ..RowId::default() };
        let mut ids =
            ["a", "a", "a#2", "a"].map(|label| [RunConditions::default(), cold].map(|c| id(label, c)));
        number_alike(ids.iter_mut().flatten());
        let texts = ids.iter().flatten().map(RowId::case).collect::<Vec<_>>();
        assert_eq!(texts, ["a", "a/cold", "a#2", "a#2/cold", "a#2#2", "a#2#2/cold", "a#3", "a#3/cold"]);
        let mut ids = [id("x", cold), id("x/cold", RunConditions::default())];
        number_alike(ids.iter_mut());
        assert_eq!(ids.map(|id| id.case()), ["x/cold", "x/cold#2"]);
    }
}
