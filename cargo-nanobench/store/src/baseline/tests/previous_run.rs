//! The previous run, `last~1`.

use super::*;
use jiff::{Span, Timestamp, Zoned};

/// Builds the two executables with these contents, and saves a run of a benchmark in each of the
/// given ones, which keeps the results of the other. Returns the time at which the run ended.
fn run(fixture: &Fixture, contents: [&str; 2], measured: &[usize]) -> Timestamp {
    run_in(environment(), fixture, contents, measured)
}

fn run_in(environment: Environment, fixture: &Fixture, contents: [&str; 2], measured: &[usize]) -> Timestamp {
    for (path, content) in fixture.built().iter().zip(contents) {
        fs::write(path, content).unwrap();
    }
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let built: Vec<PathBuf> = measured.iter().map(|&index| fixture.built()[index].clone()).collect();
    let mut staged = lock.stage(to_save(built, &[BaselineRef::Last], measured.len()), &[]).unwrap();
    if let Some(last) = store.last().unwrap() {
        staged.carry_over(&last.baseline, |_| true).unwrap();
    }
    let results = measured.iter().zip(0..);
    let results = results.map(|(index, executable)| benchmark(&format!("b{index}"), Some(executable)));
    let results = results.collect();
    staged.commit(environment, results, None).unwrap();
    drop(lock);
    store.last().unwrap().unwrap().baseline.created
}

/// Returns the content of the executable of each benchmark of the previous run, and the time at
/// which it was measured.
fn previous(fixture: &Fixture) -> Vec<(String, String, Timestamp)> {
    let saved = fixture.store().load(&BaselineRef::BeforeLast).unwrap();
    let line = |stored: &StoredBenchmark| {
        let executable = saved.baseline.executable_of(stored).unwrap();
        let content = fs::read_to_string(runnable_executable(&saved, executable).unwrap()).unwrap();
        (stored.benchmark.id.function.clone(), content, saved.baseline.measured_at(stored))
    };
    let mut lines: Vec<_> = saved.baseline.benchmarks.iter().map(line).collect();
    lines.sort();
    lines
}

fn line(id: &str, content: &str, measured: Timestamp) -> (String, String, Timestamp) {
    (id.to_owned(), content.to_owned(), measured)
}

#[test]
fn it_has_the_latest_other_code_of_each_benchmark() {
    let fixture = Fixture::new();
    let first = run(&fixture, ["a1", "b1"], &[0, 1]);
    run(&fixture, ["a1", "b1"], &[0, 1]);
    let error = fixture.store().load(&BaselineRef::BeforeLast).unwrap_err();
    assert!(matches!(error, Error::NoPreviousRun { .. }), "nothing has changed: {error}");

    let second = fixture.store().last().unwrap().unwrap().baseline.created;
    assert!(second > first);
    run(&fixture, ["a2", "b1"], &[0, 1]);
    assert_eq!(previous(&fixture), [line("b0", "a1", second), line("b1", "b1", second)]);
    let before = fixture.files().len();
    let third = run(&fixture, ["a2", "b1"], &[0, 1]);
    assert_eq!(previous(&fixture), [line("b0", "a1", second), line("b1", "b1", second)]);
    assert_eq!(fixture.files().len(), before, "it stays, and so does the number of files");

    run(&fixture, ["a2", "b2"], &[1]);
    let expected = [line("b0", "a1", second), line("b1", "b1", third)];
    assert_eq!(previous(&fixture), expected, "the first one has other code from before");
    run(&fixture, ["a2", "b2"], &[0, 1]);
    assert_eq!(previous(&fixture), expected);
    assert_eq!(fixture.number_of_executables(), 4, "one for each of the benchmarks, before and now");
    assert_eq!(fixture.files().len(), 7, "and nothing else: {:?}", fixture.files());
}

#[test]
fn results_that_were_built_differently_are_not_mixed() {
    let fixture = Fixture::new();
    let built_as = |profile: &str| Environment { profile: Some(profile.to_owned()), ..environment() };
    run_in(built_as("bench"), &fixture, ["a1", "b1"], &[0, 1]);
    run_in(built_as("bench"), &fixture, ["a2", "b2"], &[0, 1]);
    let third = run_in(built_as("other"), &fixture, ["a2", "b2"], &[0, 1]);
    run_in(built_as("other"), &fixture, ["a3", "b2"], &[0, 1]);
    assert_eq!(previous(&fixture), [line("b0", "a2", third), line("b1", "b2", third)]);
}

#[test]
fn a_run_that_is_not_saved_leaves_it_alone() {
    let fixture = Fixture::new();
    run(&fixture, ["a1", "b1"], &[0, 1]);
    run(&fixture, ["a2", "b2"], &[0, 1]);
    let (kept, files) = (previous(&fixture), fixture.files());
    fs::write(&fixture.built()[0], "a3").unwrap();
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    drop(lock.stage(fixture.to_save(&[BaselineRef::Last], 1), &[]).unwrap());
    drop(lock);
    assert_eq!((previous(&fixture), fixture.files()), (kept, files));
}

#[test]
fn a_damaged_one_is_replaced_and_a_damaged_last_run_keeps_it() {
    let fixture = Fixture::new();
    run(&fixture, ["a1", "b1"], &[0, 1]);
    let second = run(&fixture, ["a2", "b2"], &[0, 1]);
    fs::write(fixture.json("last~1"), "{").unwrap();
    run(&fixture, ["a3", "b3"], &[0, 1]);
    let expected = [line("b0", "a2", second), line("b1", "b2", second)];
    assert_eq!(previous(&fixture), expected);
    fs::write(fixture.json("last"), "{").unwrap();
    fixture.save(&[BaselineRef::Last], 1).unwrap();
    assert_eq!(previous(&fixture), expected);
}

#[test]
fn it_is_in_no_list_and_only_its_age_or_its_name_removes_it() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    run(&fixture, ["a1", "b1"], &[0, 1]);
    run(&fixture, ["a2", "b2"], &[0, 1]);
    let store = fixture.store();
    let mut listed = store.list().unwrap();
    assert_eq!(listed.iter().map(|listed| listed.name.as_str()).collect::<Vec<_>>(), ["main"]);
    listed.extend(store.listed_previous_run());
    let chosen = |keep, days: Option<i64>, age: i64| {
        let rule = PruneRule { keep, older_than: days.map(|days| Span::new().days(days)) };
        let now = Zoned::now().checked_add(Span::new().days(age)).unwrap();
        rule.select(&listed, &now).unwrap().iter().map(|listed| listed.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(chosen(Some(1), None, 0), [""; 0]);
    assert_eq!(chosen(Some(0), None, 0), ["main"]);
    assert_eq!(chosen(Some(1), Some(30), 31), ["last~1"], "it is not counted");
    assert_eq!(chosen(None, Some(30), 29), [""; 0]);
    assert_eq!(chosen(None, Some(30), 31), ["main", "last~1"]);
    let removed = store.remove(&BaselineRef::BeforeLast, &|| false).unwrap();
    assert_eq!((removed.name.as_str(), removed.baseline.unwrap().benchmarks.len()), ("last~1", 2));
    assert!(store.listed_previous_run().is_none() && store.last().unwrap().is_some());
}

#[test]
fn it_can_be_kept_under_a_name() {
    let fixture = Fixture::new();
    run(&fixture, ["a1", "b1"], &[0, 1]);
    run(&fixture, ["a2", "b2"], &[0, 1]);
    let store = fixture.store();
    store.rename(&BaselineRef::BeforeLast, &"before".parse().unwrap(), &|| false).unwrap();
    assert_eq!(store.load(&named("before")).unwrap().baseline.benchmarks.len(), 2);
    assert!(!store.contains(&BaselineRef::BeforeLast));
}
