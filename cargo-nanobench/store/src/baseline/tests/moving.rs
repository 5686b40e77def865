//! Previous baselines, renaming, and pruning.

use super::*;
use jiff::{Span, Zoned};

fn reference(name: &str) -> BaselineRef {
    name.parse().unwrap()
}

fn names(fixture: &Fixture) -> Vec<String> {
    fixture.store().list().unwrap().into_iter().map(|listed| listed.name).collect()
}

fn number(fixture: &Fixture, name: &str) -> usize {
    fixture.store().load(&reference(name)).unwrap().baseline.benchmarks.len()
}

#[test]
fn one_previous_baseline_is_kept() {
    let fixture = Fixture::new();
    for benchmarks in 1..=3 {
        fixture.save(&[named("main"), BaselineRef::Last], benchmarks).unwrap();
    }
    assert_eq!(names(&fixture), ["main", "main~1"]);
    assert_eq!((number(&fixture, "main"), number(&fixture, "main~1")), (3, 2));
    assert_eq!(fixture.files().iter().filter(|file| file.starts_with("runs/")).count(), 2, "of three runs");
    let unknown = fixture.store().load(&reference("mian~1")).unwrap_err().to_string();
    assert!(unknown.contains("did you mean `main~1`?"), "{unknown}");
}

#[test]
fn unreadable_baseline_does_not_replace_the_previous_one() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    fixture.save(&[named("main")], 2).unwrap();
    fixture.plant("main", "{");
    fixture.save(&[named("main")], 3).unwrap();
    assert_eq!((number(&fixture, "main"), number(&fixture, "main~1")), (3, 1));
}

#[test]
fn renaming_moves_the_previous_baseline_and_replaces_nothing() {
    let fixture = Fixture::new();
    fixture.save(&[named("main"), named("other")], 1).unwrap();
    fixture.save(&[named("main")], 2).unwrap();
    let rename =
        |from: &str, to: &str| fixture.store().rename(&reference(from), &to.parse().unwrap(), &|| false);
    for (from, to) in [("main", "other"), ("main", "main"), ("other", "main"), ("main~1", "main")] {
        let error = rename(from, to).unwrap_err();
        assert!(matches!(error, Error::NameTaken { .. }), "{from} {to}: {error:?}");
    }
    assert!(matches!(rename("mian", "x").unwrap_err(), Error::Unknown { .. }));
    rename("main", "next").unwrap();
    assert_eq!(names(&fixture), ["next", "next~1", "other"]);
    assert_eq!((number(&fixture, "next"), number(&fixture, "next~1")), (2, 1));
    // `next` is gone and `next~1` is not: the name is free for `next~1` only.
    fixture.store().remove(&reference("next"), &|| false).unwrap();
    assert!(matches!(rename("other", "next").unwrap_err(), Error::NameTaken { .. }));
    rename("next~1", "next").unwrap();
    assert_eq!(names(&fixture), ["next", "other"]);
}

#[test]
fn pruning_removes_old_baselines() {
    let fixture = Fixture::new();
    for name in ["c", "a", "b"] {
        fixture.save(&[named(name)], 1).unwrap();
    }
    fixture.save(&[named("c")], 1).unwrap();
    fixture.plant("broken", "{");
    let listed = fixture.store().list().unwrap();
    let choose = |keep, days: Option<i64>, in_days: i64| {
        let rule = PruneRule { keep, older_than: days.map(|days| Span::new().days(days)) };
        let now = Zoned::now().checked_add(Span::new().days(in_days)).unwrap();
        rule.select(&listed, &now).unwrap().iter().map(|listed| listed.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(choose(Some(2), None, 0), ["c~1", "a"], "the age of `broken` is unknown");
    assert_eq!(choose(Some(9), None, 0), [""; 0]);
    assert_eq!(choose(None, Some(30), 29), [""; 0]);
    assert_eq!(choose(None, Some(30), 31), ["c~1", "a", "b", "c"]);
    assert_eq!(choose(Some(1), Some(30), 31), ["c~1", "a", "b"]);
    let store = fixture.store();
    let rule = PruneRule { keep: Some(1), older_than: None };
    let removed =
        store.lock(&|| false).unwrap().remove_all(rule.select(&listed, &Zoned::now()).unwrap()).unwrap();
    assert_eq!(removed.len(), 3);
    assert_eq!(names(&fixture), ["broken", "c"]);
}

#[test]
fn last_run_cannot_be_moved_and_no_baseline_has_its_name() {
    let fixture = Fixture::new();
    assert!(matches!(fixture.store().load(&BaselineRef::Last).unwrap_err(), Error::NoLastRun { .. }));
    fixture.save(&[BaselineRef::Last], 2).unwrap();
    assert_eq!(number(&fixture, "last"), 2);
    let removed = fixture.store().remove(&BaselineRef::Last, &|| false).unwrap_err();
    assert!(
        removed.to_string().contains("delete the file `")
            && matches!(removed, Error::CannotRemoveLast { .. }),
        "{removed}"
    );
    let renamed = fixture.store().rename(&BaselineRef::Last, &"a b".parse().unwrap(), &|| false).unwrap_err();
    assert!(renamed.to_string().contains("import FILE --use-executables --name \"a b\""), "{renamed}");
    fs::copy(fixture.root().join("names/last.json"), fixture.root().join("names/LAST.json")).unwrap();
    let listed = fixture.store().list().unwrap();
    assert!(matches!(listed[0].baseline, Err(Error::Name(_))), "{listed:?}");
    let all = PruneRule { keep: Some(0), older_than: None };
    assert!(all.select(&listed, &Zoned::now()).unwrap().is_empty());
    assert_eq!(number(&fixture, "last"), 2);
}
