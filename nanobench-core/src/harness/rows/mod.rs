//! The rows of the marked functions: what there is to run, and what is said of each.

mod baseline;
mod cases;
mod conditions;
mod layers;

pub(super) use conditions::RequestedConditions;

use super::guarded::guarded;
use crate::measure::{Bencher, Caches, Count};
use crate::model::{BenchmarkSpec, RowId};
use crate::protocol::TeardownFailure;
use crate::registry::{self, Case, Entry, Group};
use cases::FunctionCase;
use layers::Layers;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A benchmark: a row of the listing.
#[derive(Debug)]
pub(super) struct Row {
    /// What is said of it.
    pub(super) benchmark: BenchmarkSpec,
    /// The function.
    pub(super) entry: &'static Entry,
    /// Those that are emptied before each iteration.
    caches: Option<&'static Caches>,
    work: Work,
}

/// What runs. The ways of a row share it.
#[derive(Debug, Clone)]
enum Work {
    Plain(fn(&mut Bencher)),
    Case(Rc<RefCell<Case>>),
    /// The benchmark says what its problem is.
    None,
}

impl Row {
    /// How the function gets its count.
    pub(super) fn count(&self) -> Count {
        self.entry.count
    }

    /// Carries an order out.
    pub(super) fn carry_out(&self, order: &mut Bencher) {
        if let Some(caches) = self.caches {
            order.use_cold_caches(caches);
        }
        self.try_out(order);
    }

    /// Carries an order out with caches that nobody has emptied: to see that it works.
    pub(super) fn try_out(&self, order: &mut Bencher) {
        // What is counted is what one thread does.
        let threads = self.benchmark.id.conditions.threads.filter(|_| !order.is_counting());
        let threads = threads.map(|threads| threads as usize);
        match (&self.work, threads) {
            (Work::Plain(run), None) => run(order),
            (Work::Plain(run), Some(threads)) => order.run_on_threads(threads, run),
            (Work::Case(case), threads) => case.borrow_mut().carry_out(order, threads),
            (Work::None, _) => {}
        }
    }

    /// Is done with what lives as long as the process works.
    pub(super) fn finish(&self) {
        if let Work::Case(case) = &self.work {
            case.borrow_mut().finish();
        }
    }
}

/// Tears down the state that rows keep until the end. Returns the teardowns that panicked.
pub(super) fn finish(rows: &[Row]) -> Vec<TeardownFailure> {
    let mut failures = Vec::new();
    for row in rows {
        if let Err(panic) = guarded(|| row.finish()) {
            failures.push(TeardownFailure { row: row.benchmark.id.clone(), panic });
        }
    }
    failures
}

/// All rows, in the order of the source.
pub(super) fn all(asked: &RequestedConditions) -> Vec<Row> {
    assembled(registry::entries(), &registry::groups(), asked)
}

/// The row of this path, for a process that is there for it alone: what other functions are run with is not even made, and nothing
/// is compared with another row.
pub(super) fn only(id: &RowId, asked: &RequestedConditions) -> Vec<Row> {
    picked(registry::entries(), &registry::groups(), asked, id)
}

fn picked(
    entries: Vec<&'static Entry>,
    groups: &[&Group],
    asked: &RequestedConditions,
    id: &RowId,
) -> Vec<Row> {
    let mut picked = Vec::new();
    for entry in entries {
        if entry.id().is_same_function(id) {
            picked.extend(rows(entry, &Layers::of(entry, groups), asked));
        }
    }
    picked.retain(|row| row.benchmark.id == *id);
    picked
}

/// The rows of a function, to see that they work.
pub(super) fn to_try(entry: &'static Entry) -> Vec<Row> {
    rows(entry, &Layers::of(entry, &registry::groups()), &RequestedConditions::warm())
}

/// The rows of all functions, with the rows that each is compared with.
pub(super) fn assembled(
    entries: Vec<&'static Entry>,
    groups: &[&Group],
    asked: &RequestedConditions,
) -> Vec<Row> {
    let mut all = Vec::new();
    let mut named = Vec::new();
    for &entry in &entries {
        let layers = Layers::of(entry, groups);
        let rows = rows(entry, &layers, asked);
        named.extend(layers.baseline().map(|baseline| (all.len()..all.len() + rows.len(), baseline)));
        all.extend(rows);
    }
    for (rows, (path, module)) in named {
        baseline::resolve(&entries, &mut all, rows, path, module);
    }
    all
}

/// Returns the rows of a function: each of its cases under each of the requested conditions.
fn rows(entry: &'static Entry, layers: &Layers, asked: &RequestedConditions) -> Vec<Row> {
    let mut rows = Vec::new();
    for case in FunctionCase::all(entry) {
        rows.extend(case.rows(entry, layers, asked));
    }
    number_alike(rows.iter_mut().map(|row| &mut row.benchmark.id));
    rows
}

/// Numbers ids that would read the same: those of equal labels, and of a label that reads like conditions.
fn number_alike<'a>(ids: impl Iterator<Item = &'a mut RowId>) {
    let mut taken = HashMap::new();
    for id in ids {
        let text = id.case();
        let mut number = *taken.entry(text.clone()).and_modify(|times| *times += 1).or_insert(1);
        if number == 1 {
            continue;
        }
        id.number = Some(number);
        while taken.contains_key(&id.case()) {
            number += 1;
            id.number = Some(number);
        }
        taken.insert(text, number);
        taken.insert(id.case(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CacheState, RunConditions};
    use crate::registry::{Body, Cases};
    use std::cell::Cell;

    thread_local!(static ASKED: Cell<bool> = const { Cell::new(false) });

    fn of_two(cases: &mut Cases) {
        cases.each([1, 2], |arg| Some(arg.to_string()), |cases, _| cases.add(Case::new(|_| {})));
    }

    #[test]
    fn for_one_row_no_other_function_is_asked() {
        let entry = |function, makes| {
            let body = Body::Cases(makes);
            &*Box::leak(Box::new(Entry { module_path: "k::a", function, body, ..Entry::DEFAULT }))
        };
        let picked = |function: &str, label: &str| {
            let others: fn(&mut Cases) = |_| ASKED.set(true);
            let entries =
                vec![entry("other", others), entry("f", of_two), entry("f2", others), entry("fg", of_two)];
            let id = RowId {
                modules: "a".into(),
                function: function.into(),
                labels: vec![label.into()],
                ..RowId::default()
            };
            let rows = picked(entries, &[], &RequestedConditions::default(), &id);
            rows.into_iter().map(|row| row.benchmark.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(picked("f", "2"), ["a::f/2"]);
        assert_eq!(picked("fg", "1"), ["a::fg/1"]);
        assert!(picked("f", "3").is_empty() && !ASKED.get());
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
