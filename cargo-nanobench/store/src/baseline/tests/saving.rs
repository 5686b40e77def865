//! Saving and loading, and errors of saving.

use super::*;

#[test]
fn loaded_baseline_equals_the_saved_one() {
    let fixture = Fixture::new();
    fixture.save(&[BaselineRef::Last, named("main")], 2).unwrap();
    let saved = fixture.store().load(&"main".parse().unwrap()).unwrap();
    let baseline = &saved.baseline;
    assert_eq!(baseline.tool, env!("CARGO_PKG_VERSION"));
    assert_eq!(baseline.environment, environment());
    let names: Vec<_> = baseline.executables.iter().map(|executable| &*executable.name).collect();
    assert_eq!(names, ["first-1", "second-2"]);
    let stored = benchmark("b1", Some(0));
    assert_eq!(saved.benchmark(&id("my-crate::first::b1")), Some(&stored));
    assert_eq!(saved.benchmark(&id("my-crate::first::b2")), None);
    assert_eq!(fixture.store().last().unwrap().unwrap().baseline, *baseline);
    let kept = runnable_executable(&saved, &baseline.executables[1]).unwrap();
    assert_eq!(fs::read(kept).unwrap(), b"second!");
    assert_eq!(Fingerprint::from_file(&fixture.built()[1]).unwrap(), baseline.executables[1].hash);
    assert_eq!(baseline.executables[1].size, 7);
}

#[test]
fn saving_again_keeps_the_previous_baseline() {
    let fixture = Fixture::new();
    fixture.save(&[named("main"), BaselineRef::Last], 1).unwrap();
    fs::rename(fixture.target().join("deps/second-2"), fixture.target().join("deps/other-3")).unwrap();
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let mut built = fixture.built();
    built.truncate(1);
    let staged = lock.stage(to_save(built, &[named("main")], 0), &[]).unwrap();
    staged.commit(environment(), Vec::new(), None).unwrap();
    drop(lock);
    // The record of `main` before is that of the last run.
    assert_eq!(fixture.json("main~1"), fixture.json("last"));
    assert_eq!((fixture.files().len(), fixture.number_of_executables()), (6, 2), "{:?}", fixture.files());
    assert_eq!(store.last().unwrap().unwrap().baseline.benchmarks.len(), 1);
    assert!(store.load(&"main".parse().unwrap()).unwrap().baseline.benchmarks.is_empty());
    let before = store.load(&"main~1".parse().unwrap()).unwrap();
    assert_eq!(before.baseline.benchmarks.len(), 1);
    assert!(
        before
            .baseline
            .executables
            .iter()
            .all(|executable| runnable_executable(&before, executable).is_some())
    );
}

#[test]
fn dropped_run_changes_nothing() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    let (files, json) = (fixture.files(), fs::read(fixture.json("main")).unwrap());
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let staged = lock.stage(fixture.to_save(&[named("main"), BaselineRef::Last], 100), &[]).unwrap();
    assert_ne!(fixture.files(), files, "the space is reserved");
    drop(staged);
    drop(lock);
    assert_eq!(fixture.files(), files);
    assert_eq!(fs::read(fixture.json("main")).unwrap(), json);
}

#[test]
#[cfg(target_os = "linux")]
fn reserved_space_is_allocated() {
    use std::os::unix::fs::MetadataExt as _;
    let fixture = Fixture::new();
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let _staged = lock.stage(fixture.to_save(&[BaselineRef::Last], 100), &[]).unwrap();
    let reserved = fs::read_dir(fixture.root().join("runs")).unwrap().flatten().next().unwrap();
    let reserved = reserved.metadata().unwrap();
    assert!(reserved.len() > 0 && reserved.blocks() * 512 >= reserved.len(), "{reserved:?}");
}

#[test]
fn executables_of_the_same_name_are_both_stored() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.target().join("other")).unwrap();
    let path = fixture.target().join("other/first-1");
    fs::write(&path, "another").unwrap();
    let mut built = fixture.built();
    built[1] = path;
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let staged = lock.stage(to_save(built, &[BaselineRef::Last], 0), &[]).unwrap();
    staged.commit(environment(), Vec::new(), None).unwrap();
    let saved = store.last().unwrap().unwrap();
    let content =
        |i: usize| fs::read(runnable_executable(&saved, &saved.baseline.executables[i]).unwrap()).unwrap();
    assert_eq!((content(0), content(1)), (b"first".to_vec(), b"another".to_vec()));
}

#[test]
fn unwritable_store_is_reported_before_the_run() {
    // Even an administrator can't write into a file as if it were a folder, or the other way round.
    for (path, is_folder) in [("names", false), ("runs", false), ("blobs", false), ("names/last.json", true)]
    {
        let fixture = Fixture::new();
        let path = fixture.root().join(path);
        fs::create_dir_all(if is_folder { &path } else { path.parent().unwrap() }).unwrap();
        if !is_folder {
            fs::write(&path, "mine").unwrap();
        }
        let error = fixture.save(&[BaselineRef::Last, named("main")], 1).unwrap_err();
        assert!(matches!(error, Error::Io(_)), "{error:?}");
        let message = error.to_string();
        assert!(message.contains(&path.display().to_string()), "{message}");
        assert!(is_folder || fs::read(&path).unwrap() == b"mine");
        assert_eq!(fixture.files().iter().filter(|file| file.contains('.')).count(), usize::from(is_folder));
    }
    let fixture = Fixture::new();
    fs::write(fixture.root(), "mine").unwrap();
    let message = fixture.save(&[BaselineRef::Last], 1).unwrap_err().to_string();
    assert!(message.starts_with("cannot create `") && message.contains("nanobench"), "{message}");
}

#[test]
fn error_names_the_executable_that_cannot_be_copied() {
    let fixture = Fixture::new();
    fs::remove_file(fixture.target().join("deps/second-2")).unwrap();
    let message = fixture.save(&[BaselineRef::Last], 1).unwrap_err().to_string();
    assert!(message.contains("second-2") && message.contains("os error"), "{message}");
    assert!(fixture.files().is_empty(), "{:?}", fixture.files());
}

#[test]
fn thousand_benchmarks_fit_into_the_reserved_space() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let staged = lock.stage(fixture.to_save(&[BaselineRef::Last], 1000), &[]).unwrap();
    let reserved = fs::read_dir(fixture.root().join("runs")).unwrap().flatten();
    let reserved = reserved.map(|entry| entry.metadata().unwrap().len()).sum::<u64>();
    let benchmarks =
        (0..1000).map(|i| benchmark(&format!("a-crate-of-mine::some_target::module::b{i}"), Some(0)));
    staged.commit(environment(), benchmarks.collect(), None).unwrap();
    let written = fixture.json("last").metadata().unwrap().len();
    println!("1,000 benchmarks of 32 samples in 3 launches: {written} bytes of {reserved} reserved");
    assert!(written < reserved, "{written} bytes of {reserved}");
}

#[test]
fn new_target_directory_is_marked_as_a_cache() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    drop(Store::open(&target, &target).lock(&|| false).unwrap());
    let tag = fs::read_to_string(target.join("CACHEDIR.TAG")).unwrap();
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    fs::remove_file(target.join("CACHEDIR.TAG")).unwrap();
    drop(Store::open(&target, &target).lock(&|| false).unwrap());
    assert!(!target.join("CACHEDIR.TAG").exists(), "an existing directory is not marked");
}

#[test]
fn fields_that_were_added_later_are_optional() {
    const LATER: [&str; 14] = [
        "case",
        "unit",
        "batch",
        "throughput",
        "group",
        "tags",
        "baseline",
        "relation_error",
        "complexity",
        "cache",
        "wipe_size",
        "threads",
        "context",
        "problem",
    ];
    let fixture = Fixture::new();
    fixture.save(&[named("old")], 2).unwrap();
    let mut stored: serde_json::Value =
        serde_json::from_slice(&fs::read(fixture.json("old")).unwrap()).unwrap();
    stored["environment"].as_object_mut().unwrap().remove("context").unwrap();
    for row in stored["benchmarks"].as_array_mut().unwrap() {
        let described = row["benchmark"].as_object_mut().unwrap();
        described.retain(|name, _| !LATER.contains(&name.as_str()));
        let figures = row["measurement"]["figures"].as_object_mut().unwrap();
        figures.retain(|name, _| ["count", "unroll", "launches"].contains(&name.as_str()));
    }
    fs::write(fixture.json("old"), stored.to_string()).unwrap();
    let loaded = fixture.store().load(&"old".parse().unwrap()).unwrap();
    let measurement = &loaded.baseline.benchmarks[1].measurement;
    assert_eq!((measurement.operations(), &measurement.counts), (1, &None));
    assert!(loaded.baseline.environment.context.is_empty());
}

#[test]
fn empty_batch_is_damage() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    let mut stored: serde_json::Value =
        serde_json::from_slice(&fs::read(fixture.json("main")).unwrap()).unwrap();
    stored["benchmarks"][0]["measurement"]["figures"]["batch"] = 0.into();
    fs::write(fixture.json("main"), stored.to_string()).unwrap();
    assert!(fixture.store().load(&"main".parse().unwrap()).is_err());
}

#[test]
fn measured_changes_are_those_of_the_same_executable() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let [first, second] = &fixture.built()[..] else { unreachable!() };
    assert_eq!(store.measured_changes(first), [], "nothing was compared yet");
    let since = OtherSide::Revision { name: "HEAD".to_owned(), commit: "3f2a91c0d1e2".to_owned() };
    let measured = |change| {
        let changes = vec![MeasuredChange { benchmark: "a::b".to_owned(), change }];
        vec![MeasuredChanges { since: since.clone(), changes, premises: Default::default() }]
    };
    let keep = |compared| store.lock(&|| false).unwrap().keep_measured_changes(compared);
    keep(vec![(first, measured(0.25))]);
    assert_eq!(store.measured_changes(first), measured(0.25));
    assert_eq!(store.measured_changes(first)[0].of("a::b"), Some(0.25));
    assert_eq!(store.measured_changes(first)[0].of("a::c"), None);
    assert_eq!(store.measured_changes(second), [], "it was not measured");
    keep(vec![(second, measured(0.5))]);
    assert_eq!(store.measured_changes(first), measured(0.25), "it was not measured again");
    keep(vec![(second, measured(0.75))]);
    assert_eq!(store.measured_changes(second), measured(0.75));
    let before = fs::read(first).unwrap();
    fs::write(first, "edited").unwrap();
    assert_eq!(store.measured_changes(first), [], "it was built again");
    keep(vec![(second, measured(0.5))]);
    fs::write(first, before).unwrap();
    assert_eq!(store.measured_changes(first), measured(0.25), "the edit was reverted");
    fs::write(fixture.root().join("comparison.json"), "{").unwrap();
    assert_eq!(store.measured_changes(second), []);
}

#[test]
fn a_replaced_baseline_has_the_code_of_its_previous_version() {
    let baseline = |name: &str, second| OtherSide::Baseline {
        name: name.to_owned(),
        created: jiff::Timestamp::from_second(second).unwrap(),
    };
    assert!(baseline("main", 7).is_code_of(&baseline("main~1", 7)));
    assert!(!baseline("main", 7).is_code_of(&baseline("main", 8)));
}

#[test]
fn an_executable_that_the_store_has_is_not_copied_unless_it_is_damaged() {
    use std::time::{Duration, SystemTime};
    let fixture = Fixture::new();
    fixture.save(&[BaselineRef::Last], 1).unwrap();
    let [first, second] = [0, 1].map(|index| fixture.copy("last", index));
    let hour = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(&first).unwrap().set_modified(hour).unwrap();
    fs::write(&second, "damaged").unwrap();
    fixture.save(&[BaselineRef::Last, named("main")], 1).unwrap();
    assert_eq!([fixture.copy("main", 0), fixture.copy("main", 1)], [first.clone(), second.clone()]);
    assert_eq!(first.metadata().unwrap().modified().unwrap(), hour);
    assert_eq!(fs::read(&second).unwrap(), b"second!");
    // A copy has no part in what is written to the original.
    fs::write(&fixture.built()[0], "FIRST").unwrap();
    assert_eq!(fs::read(&first).unwrap(), b"first");
}
