//! The rows of the marked functions: what there is to run, and what is said of each.

mod baseline;
mod cases;
mod conditions;
mod layers;

pub(super) use conditions::RequestedConditions;

use super::guarded::guarded;
use crate::measure::{Bencher, Caches, Count};
use crate::model::BenchmarkSpec;
use crate::registry::{self, Case, Entry, Group, Names};
use conditions::RunConditions;
use layers::Layers;
use std::cell::RefCell;
use std::rc::Rc;

/// A benchmark: a row of the listing.
#[derive(Debug)]
pub(super) struct Row {
    /// What is said of it.
    pub(super) benchmark: BenchmarkSpec,
    /// The function.
    pub(super) entry: &'static Entry,
    way: RunConditions,
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
        let threads = self.way.threads.filter(|_| !order.is_counting());
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

/// Is done with all that the rows keep until the end. Whether that went well: what went wrong is on stderr.
pub(super) fn finish(rows: &[Row]) -> bool {
    let mut well = true;
    for row in rows {
        if let Err(panic) = guarded(|| row.finish()) {
            eprintln!("nanobench: the teardown of {} {panic}", row.benchmark.path);
            well = false;
        }
    }
    well
}

/// All rows, in the order of the source.
pub(super) fn all(asked: &RequestedConditions) -> Vec<Row> {
    assembled(registry::entries(), &registry::groups(), asked)
}

/// The row of this path, for a process that is there for it alone: what other functions are run with is not even made, and nothing
/// is compared with another row.
pub(super) fn only(path: &str, asked: &RequestedConditions) -> Vec<Row> {
    picked(registry::entries(), &registry::groups(), asked, path)
}

fn picked(
    entries: Vec<&'static Entry>,
    groups: &[&Group],
    asked: &RequestedConditions,
    path: &str,
) -> Vec<Row> {
    let mut picked = Vec::new();
    for entry in entries {
        // That of a row begins with that of its function.
        if path.starts_with(&entry.path()) {
            picked.extend(rows(entry, &Layers::of(entry, groups), asked));
        }
    }
    picked.retain(|row| row.benchmark.path == path);
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

/// The rows of a function: its cases, each in all ways that are asked for.
fn rows(entry: &'static Entry, layers: &Layers, asked: &RequestedConditions) -> Vec<Row> {
    let mut names = Names::default();
    let unique = |mut row: Row| {
        // An argument may be called like one of our ways: `walk/cold`.
        let case = row.benchmark.case.take().unwrap_or_default();
        let untaken = names.untaken(case.clone());
        row.benchmark.path.push_str(&untaken[case.len()..]);
        row.benchmark.case = Some(untaken).filter(|case| !case.is_empty());
        row
    };
    cases::of(entry).into_iter().flat_map(|case| case.rows(entry, layers, asked)).map(unique).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let picked = |path: &str| {
            let others: fn(&mut Cases) = |_| ASKED.set(true);
            let entries =
                vec![entry("other", others), entry("f", of_two), entry("f2", others), entry("fg", of_two)];
            let rows = picked(entries, &[], &RequestedConditions::default(), path);
            rows.into_iter().map(|row| row.benchmark.path).collect::<Vec<_>>()
        };
        assert_eq!(picked("a::f/2"), ["a::f/2"]);
        assert_eq!(picked("a::fg/1"), ["a::fg/1"]);
        assert!(picked("a::f/3").is_empty() && !ASKED.get());
    }
}
