//! What a last run keeps of the one before.

use super::*;

/// Runs these benchmarks of the first executable and saves them as the last run.
fn run(fixture: &Fixture, ids: &[&str]) {
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let mut staged = lock.stage(&fixture.built(), &[BaselineRef::Last, named("main")], ids.len()).unwrap();
    if let Some(last) = store.last().unwrap() {
        staged.carry_over(&last, |stored| stored.benchmark.id.function != "gone").unwrap();
    }
    let file = staged.executables()[0].file.clone();
    staged.commit(environment(), ids.iter().map(|id| benchmark(id, &file)).collect()).unwrap();
}

fn rebuild(fixture: &Fixture, content: &str) {
    fs::write(fixture.target().join("deps/first-1"), content).unwrap();
}

/// What the last run holds of each benchmark: its id, the content of its executable, and whether it was kept.
fn last(fixture: &Fixture) -> Vec<(String, Option<String>, bool)> {
    let saved = fixture.store().last().unwrap().unwrap();
    let baseline = &saved.baseline;
    let content = |stored: &StoredBenchmark| {
        let executable =
            baseline.executables.iter().find(|executable| executable.file == stored.executable)?;
        Some(fs::read_to_string(saved.runnable_executable(executable)?).unwrap())
    };
    let line = |stored: &StoredBenchmark| {
        let is_carried_over = baseline.measured_at(stored) != baseline.created;
        (stored.benchmark.id.function.clone(), content(stored), is_carried_over)
    };
    baseline.benchmarks.iter().map(line).collect()
}

fn kept(id: &str, content: &str, is_kept: bool) -> (String, Option<String>, bool) {
    (id.to_owned(), Some(content.to_owned()), is_kept)
}

#[test]
fn a_benchmark_that_was_not_run_keeps_its_figures_its_executable_and_its_time() {
    let fixture = Fixture::new();
    run(&fixture, &["a", "b", "gone"]);
    let first = fixture.store().last().unwrap().unwrap().baseline;
    rebuild(&fixture, "edited");
    run(&fixture, &["b"]);
    assert_eq!(last(&fixture), [kept("b", "edited", false), kept("a", "first", true)]);
    let saved = fixture.store().last().unwrap().unwrap().baseline;
    assert_eq!(saved.measured_at(&saved.benchmarks[1]), first.created);
    assert_eq!(saved.sittings[0].environment, first.environment);
    let main = fixture.store().load(&"main".parse().unwrap()).unwrap().baseline;
    assert_eq!(main.benchmarks.len(), 1, "a baseline is the run that it was saved from");
    assert_eq!(main.executables.len(), 2, "and has no executables of others");
    // Once more: what was kept is kept again, with the time at which it was measured.
    rebuild(&fixture, "edited again");
    run(&fixture, &["c"]);
    let expected = [kept("c", "edited again", false), kept("b", "edited", true), kept("a", "first", true)];
    assert_eq!(last(&fixture), expected);
    // What all benchmarks run with again leaves nothing behind.
    run(&fixture, &["a", "b", "c"]);
    let saved = fixture.store().last().unwrap().unwrap();
    assert_eq!(saved.baseline.executables.len(), 2);
    assert_eq!(fs::read_dir(fixture.root().join("last/executables")).unwrap().count(), 2);
}

#[test]
fn an_executable_that_did_not_change_is_kept_once() {
    let fixture = Fixture::new();
    run(&fixture, &["a", "b"]);
    run(&fixture, &["b"]);
    assert_eq!(last(&fixture), [kept("b", "first", false), kept("a", "first", true)]);
    assert_eq!(fs::read_dir(fixture.root().join("last/executables")).unwrap().count(), 2);
}

#[test]
fn the_executables_that_are_kept_have_a_limit_and_the_figures_stay() {
    let fixture = Fixture::new();
    for build in 0..20 {
        rebuild(&fixture, &format!("build {build}"));
        run(&fixture, &[&format!("b{build}")]);
    }
    let last = last(&fixture);
    assert_eq!(last.len(), 20);
    let with_executable: Vec<_> =
        last.iter().filter_map(|(id, content, _)| Some((id, content.as_ref()?))).collect();
    assert_eq!(with_executable.len(), 9, "that of the run, and the eight newest");
    for (id, content) in with_executable {
        assert_eq!(format!("build {}", &id[1..]), *content, "each has its own");
    }
}

#[test]
fn a_sitting_that_is_not_there_is_damage() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    let text = fs::read_to_string(fixture.json("main")).unwrap();
    fixture.plant("main", &text.replacen("\"executable\":", "\"sitting\":0,\"executable\":", 1));
    let error = fixture.store().load(&"main".parse().unwrap()).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error:?}");
}
