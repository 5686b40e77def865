//! Results that a last run keeps from the previous one.

use super::*;

/// Saves these benchmarks of the first executable as the last run.
fn run(fixture: &Fixture, ids: &[&str]) {
    run_with(fixture, ids, None);
}

/// Saves these benchmarks of the first executable, which may read this variable.
fn run_with(fixture: &Fixture, ids: &[&str], variable: Option<&str>) {
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let run = fixture.to_save(&[BaselineRef::Last, named("main")], ids.len());
    let mut staged = lock.stage(run, &[]).unwrap();
    staged.executables[0].inputs = variable.map(|value| vec![Input::variable("STEPS", value.as_ref())]);
    if let Some(last) = store.last().unwrap() {
        staged.carry_over(&last.baseline, |stored| stored.benchmark.id.function != "gone").unwrap();
    }
    let outside_files: Vec<PathBuf> = ids.iter().map(|id| fixture.target().join(id)).collect();
    staged.executables[0].outside_files = OutsideFile::all(&outside_files);
    staged.commit(environment(), ids.iter().map(|id| benchmark(id, Some(0))).collect(), None).unwrap();
}

fn rebuild(fixture: &Fixture, content: &str) {
    fs::write(fixture.target().join("deps/first-1"), content).unwrap();
}

/// Returns the id of each benchmark of the last run, the content of its executable, and whether it
/// was carried over.
fn last(fixture: &Fixture) -> Vec<(String, Option<String>, bool)> {
    let saved = fixture.store().last().unwrap().unwrap();
    let baseline = &saved.baseline;
    let content = |stored: &StoredBenchmark| {
        Some(fs::read_to_string(runnable_executable(&saved, baseline.executable_of(stored)?)?).unwrap())
    };
    let line = |stored: &StoredBenchmark| {
        let is_carried_over = baseline.measured_at(stored) != baseline.created;
        (stored.benchmark.id.function.clone(), content(stored), is_carried_over)
    };
    baseline.benchmarks.iter().map(line).collect()
}

fn stored(id: &str, content: &str, is_kept: bool) -> (String, Option<String>, bool) {
    (id.to_owned(), Some(content.to_owned()), is_kept)
}

#[test]
fn a_last_run_is_partial_until_a_run_has_all_benchmarks() {
    let fixture = Fixture::new();
    let run = |is_partial| {
        let store = fixture.store();
        let lock = store.lock(&|| false).unwrap();
        let run = RunToSave { is_partial, ..fixture.to_save(&[BaselineRef::Last, named("main")], 1) };
        let mut staged = lock.stage(run, &[]).unwrap();
        if let Some(last) = store.last().unwrap() {
            staged.carry_over(&last.baseline, |_| true).unwrap();
        }
        staged.commit(environment(), Vec::new(), None).unwrap();
        let is_partial = |name: BaselineRef| store.load(&name).unwrap().baseline.is_partial;
        (is_partial(BaselineRef::Last), is_partial(named("main")))
    };
    assert_eq!([run(true), run(true), run(false)], [(true, true), (true, true), (false, false)]);
    assert_eq!(run(true), (false, true), "the last run keeps the others");
}

#[test]
fn unmeasured_benchmarks_keep_their_results() {
    let fixture = Fixture::new();
    run(&fixture, &["a", "b", "gone"]);
    let first = fixture.store().last().unwrap().unwrap().baseline;
    rebuild(&fixture, "edited");
    run(&fixture, &["b"]);
    assert_eq!(last(&fixture), [stored("b", "edited", false), stored("a", "first", true)]);
    let saved = fixture.store().last().unwrap().unwrap().baseline;
    assert_eq!(saved.measured_at(&saved.benchmarks[1]), first.created);
    assert_eq!(saved.earlier_runs[0].environment, first.environment);
    let main = fixture.store().load(&"main".parse().unwrap()).unwrap().baseline;
    assert_eq!(main.benchmarks.len(), 1, "a baseline holds its own run only");
    assert_eq!(main.executables.len(), 2, "and its own executables only");
    // Carried results are carried again, with the times of their runs.
    rebuild(&fixture, "edited again");
    run(&fixture, &["c"]);
    let expected =
        [stored("c", "edited again", false), stored("b", "edited", true), stored("a", "first", true)];
    assert_eq!(last(&fixture), expected);
    // A complete run leaves no other executables.
    run(&fixture, &["a", "b", "c"]);
    let saved = fixture.store().last().unwrap().unwrap();
    assert_eq!(saved.baseline.executables.len(), 2);
}

#[test]
fn unchanged_executable_is_stored_once() {
    let fixture = Fixture::new();
    run(&fixture, &["a", "b"]);
    run(&fixture, &["b"]);
    assert_eq!(last(&fixture), [stored("b", "first", false), stored("a", "first", true)]);
    assert_eq!(fixture.number_of_executables(), 2);
}

#[test]
fn outside_files_of_carried_benchmarks_are_kept() {
    let fixture = Fixture::new();
    let write = |content: &str| fs::write(fixture.target().join("a"), content).unwrap();
    let executables = || {
        let saved = fixture.store().last().unwrap().unwrap();
        let files = |executable: &Executable| {
            let files = &executable.outside_files;
            (files.len(), files.iter().filter(|file| file.changed().is_some()).count())
        };
        saved.baseline.executables.iter().map(files).collect::<Vec<_>>()
    };
    write("library");
    run(&fixture, &["a"]);
    run(&fixture, &["b"]);
    assert_eq!(executables(), [(1, 0), (0, 0)], "one executable for both");
    write("edited");
    run(&fixture, &["b"]);
    assert_eq!(executables(), [(0, 0), (0, 0), (1, 1)], "the carried benchmark ran the other library");
}

#[test]
fn number_of_carried_executables_is_limited() {
    let fixture = Fixture::new();
    for build in 0..20 {
        rebuild(&fixture, &format!("build {build}"));
        run(&fixture, &[&format!("b{build}")]);
    }
    let last = last(&fixture);
    assert_eq!(last.len(), 20);
    let with_executable: Vec<_> =
        last.iter().filter_map(|(id, content, _)| Some((id, content.as_ref()?))).collect();
    assert_eq!(with_executable.len(), 9, "the run's own, and the eight newest");
    for (id, content) in with_executable {
        assert_eq!(format!("build {}", &id[1..]), *content, "each benchmark has its own");
    }
}

#[test]
fn executables_that_differ_in_their_inputs_only_are_not_counted() {
    let fixture = Fixture::new();
    run(&fixture, &["other"]);
    rebuild(&fixture, "reader");
    for value in 0..20 {
        run_with(&fixture, &[&format!("b{value}")], Some(&value.to_string()));
    }
    let last = last(&fixture);
    assert_eq!(last.len(), 21);
    for (id, content, _) in last {
        assert_eq!(content.as_deref(), Some(if id == "other" { "first" } else { "reader" }), "{id}");
    }
    let saved = fixture.store().last().unwrap().unwrap();
    let inputs = |id: &str| {
        let mut benchmarks = saved.baseline.benchmarks.iter();
        let stored = benchmarks.find(|stored| stored.benchmark.id.function == id).unwrap();
        saved.baseline.executable_of(stored).unwrap().inputs.clone().unwrap()
    };
    assert!(inputs("b1") != inputs("b2"), "each benchmark keeps what it read");
}

#[test]
fn a_missing_run_or_executable_is_damage() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    let text = fs::read_to_string(fixture.json("main")).unwrap();
    for (index, reason) in [("earlier_run", "the run that measured"), ("executable", "the executable of")] {
        fixture.plant("main", &text.replacen("\"executable\":0", &format!("\"{index}\":7"), 1));
        let error = fixture.store().load(&"main".parse().unwrap()).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }) && error.to_string().contains(reason), "{error:?}");
    }
}
