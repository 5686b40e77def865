//! Unknown, damaged and incomplete baselines, and those of other formats; lists and removal of
//! them.

use super::*;

#[test]
fn missing_and_changed_executables_are_not_run() {
    let fixture = Fixture::new();
    fixture.save(&[BaselineRef::Last], 1).unwrap();
    let saved = fixture.store().last().unwrap().unwrap();
    fs::remove_file(fixture.copy("last", 0)).unwrap();
    fs::write(fixture.copy("last", 1), "secund!").unwrap();
    for executable in &saved.baseline.executables {
        assert_eq!(runnable_executable(&saved, executable), None);
    }
}

#[test]
fn error_for_an_unknown_baseline_lists_the_saved_ones() {
    let fixture = Fixture::new();
    let name: BaselineRef = "mian".parse().unwrap();
    let error = fixture.store().load(&name).unwrap_err();
    assert!(matches!(error, Error::Unknown { .. }), "{error:?}");
    assert!(error.to_string().contains("no baseline exists yet; save one"), "{error}");
    assert!(!fixture.root().exists(), "reading creates nothing");
    fixture.save(&[named("main")], 2).unwrap();
    fixture.plant("broken", "{");
    let expected = "there is no baseline `mian`\n\
                    saved baselines: broken (can't be read), main (just now, 3f2a91c, 2 benchmarks)\n\
                    did you mean `main`?";
    assert_eq!(fixture.store().load(&name).unwrap_err().to_string(), expected);
    assert_eq!(fixture.store().remove(&name, &|| false).unwrap_err().to_string(), expected);
}

#[test]
#[cfg(unix)]
fn files_that_never_end_are_not_read() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    fixture.plant("pipe", "");
    let pipe = fixture.json("pipe");
    fs::remove_file(&pipe).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fixture.plant("device", "");
    fs::remove_file(fixture.json("device")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", fixture.json("device")).unwrap();
    for name in ["pipe", "device"] {
        let error = fixture.store().load(&name.parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains("it is not a regular file"), "{error}");
        assert_eq!(fixture.store().list().unwrap().len(), if name == "pipe" { 3 } else { 2 });
        fixture.store().remove(&name.parse().unwrap(), &|| false).unwrap();
    }
    let workspace = fixture.root().join("workspace");
    fs::remove_file(&workspace).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &workspace).unwrap();
    fixture.save(&[named("main")], 1).unwrap();
    assert!(fixture.root().join("workspace").metadata().unwrap().is_file());
}

#[test]
fn impossible_figures_are_damage() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    let good = fs::read_to_string(fixture.json("main")).unwrap();
    let impossible = [
        ("\"count\":1,", "\"count\":0,"),
        ("\"count\":1,\"unroll\":1,", "\"count\":4294967296,\"unroll\":4294967296,"),
        ("\"iterations\":[1000,", "\"iterations\":[0,"),
        ("\"elapsed\":[", "\"elapsed\":[18446744073709551615,"),
        ("\"frequency\":", "\"frequency\":1e-300,\"later\":"),
        ("\"frequency\":", "\"frequency\":1e300,\"later\":"),
        ("\"segment_cost\":", "\"segment_cost\":1e300,\"later\":"),
        ("\"resolution\":", "\"resolution\":1e300,\"later\":"),
        ("\"resolution\":", "\"resolution\":-5,\"later\":"),
    ];
    for (from, to) in impossible {
        assert!(good.contains(from), "{from}: {good}");
        fixture.plant("main", &good.replacen(from, to, 1));
        let error = fixture.store().load(&"main".parse().unwrap()).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{to}: {error:?}");
    }
}

#[test]
fn damaged_baseline_can_be_saved_again() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    let good = fs::read_to_string(fixture.json("main")).unwrap();
    let library = r#""libraries":[{"file":"../first-1","size":5,"hash":"xxh3:0"}],"size":5"#;
    let elsewhere = good.replacen("\"size\":5", library, 1);
    let uneven = good.replace("\"iterations\":[1000,", "\"iterations\":[");
    let cut = &good[..good.len() / 2];
    for text in ["", "null", "{}", "no json", r#"{"format": "1"}"#, cut, &elsewhere, &uneven] {
        fixture.plant("main", text);
        let error = fixture.store().load(&"main".parse().unwrap()).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{text}: {error:?}");
        let message = error.to_string();
        for part in [" line ", " column ", ".json`", "--save-baseline main", "baseline remove main"] {
            assert!(message.contains(part), "{text}: {message}");
        }
        assert_eq!(fs::read_to_string(fixture.json("main")).unwrap(), text, "reading changes nothing");
    }
    fixture.save(&[named("main")], 3).unwrap();
    assert_eq!(fixture.store().load(&"main".parse().unwrap()).unwrap().baseline.benchmarks.len(), 3);
}

#[test]
fn baseline_without_json_is_incomplete() {
    let fixture = Fixture::new();
    fixture.save(&[named("main"), BaselineRef::Last], 1).unwrap();
    fs::remove_file(fixture.json("main")).unwrap();
    let error = fixture.store().load(&"main".parse().unwrap()).unwrap_err();
    assert!(matches!(error, Error::Incomplete { .. }), "{error:?}");
    assert!(error.to_string().starts_with("baseline `main` is incomplete: `"), "{error}");
    let error = fixture.store().last().unwrap_err();
    assert!(error.to_string().starts_with("the last run is incomplete: `"), "{error}");
}

#[test]
fn newer_format_is_never_replaced() {
    let fixture = Fixture::new();
    let text = r#"{"format": 4, "tool": "9.1.0", "benchmarks": "elsewhere"}"#;
    fixture.plant("main", text);
    let read = fixture.store().load(&"main".parse().unwrap()).unwrap_err();
    let saved = fixture.save(&[BaselineRef::Last, named("main")], 1).unwrap_err();
    for error in [read, saved] {
        assert!(matches!(error, Error::NewerFormat { .. }), "{error:?}");
        let message = error.to_string();
        for part in
            ["written by cargo-nanobench 9.1.0", "update: cargo install cargo-nanobench", "remove main"]
        {
            assert!(message.contains(part), "{message}");
        }
    }
    assert_eq!(fixture.files(), ["names/main.json", "runs/of main.json"]);
    assert_eq!(fs::read_to_string(fixture.json("main")).unwrap(), text);
}

#[test]
fn older_format_is_replaced_and_not_kept() {
    let fixture = Fixture::new();
    let text = r#"{"format": 1, "tool": "0.0.9", "benchmarks": "elsewhere"}"#;
    fixture.plant("main", text);
    let error = fixture.store().load(&named("main")).unwrap_err();
    assert!(matches!(error, Error::OlderFormat { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        format!(
            "baseline `main` was saved by an earlier version of cargo-nanobench, in a format that this \
             version ({}) can't read\n\
             save it again: cargo nanobench --save-baseline main\n\
             or remove it: cargo nanobench baseline remove main",
            env!("CARGO_PKG_VERSION")
        )
    );
    assert_eq!(fs::read_to_string(fixture.json("main")).unwrap(), text, "reading changes nothing");
    fixture.save(&[named("main")], 1).unwrap();
    assert!(fixture.store().load(&named("main")).is_ok());
    assert!(!fixture.store().contains(&"main~1".parse().unwrap()));
}

#[test]
fn unknown_fields_are_ignored() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 1).unwrap();
    let text = fs::read_to_string(fixture.json("main")).unwrap();
    let more = text
        .replacen('{', r#"{"floor": [0.4],"#, 1)
        .replace("\"iterations\":", "\"cache\":[],\"iterations\":");
    let more = more.replace("\"cache\":[]", &format!("\"cache\":{:?}", [0; 31]));
    let more = more.replacen(r#""target":{"#, r#""new": {}, "target":{"#, 1);
    // Only the first launch has 31 samples, so the others get no such column.
    let more =
        more.replacen(&format!("\"cache\":{:?},\"iterations\":[1000]", [0; 31]), "\"iterations\":[1000]", 1);
    fixture.plant("main", &more);
    let loaded = fixture.store().load(&"main".parse().unwrap()).unwrap().baseline;
    fixture.plant("main", &text);
    assert_ne!(more, text);
    assert_eq!(loaded, fixture.store().load(&"main".parse().unwrap()).unwrap().baseline);
}

#[test]
fn files_that_a_killed_run_has_left_are_deleted() {
    let fixture = Fixture::new();
    fixture.save(&[named("main"), BaselineRef::Last], 1).unwrap();
    let files = fixture.files();
    // Killed while it copied executables, before it wrote the record, and before it wrote the name.
    fs::create_dir_all(fixture.root().join("blobs/.a1/first-1.libraries")).unwrap();
    fs::create_dir_all(fixture.root().join("blobs/0123.libraries")).unwrap();
    for file in ["blobs/0123", "blobs/0123.link", "runs/4567.json", "runs/.nanobench-1.tmp"] {
        fs::write(fixture.root().join(file), "").unwrap();
    }
    fs::write(fixture.root().join("names/.nanobench-2.tmp"), "").unwrap();
    drop(fixture.store().lock(&|| false).unwrap());
    assert_eq!(fixture.files(), files);
    // Nothing is deleted while a name can't be read, as nobody knows what it needs.
    fs::write(fixture.root().join("names/main.json"), "{").unwrap();
    fs::remove_file(fixture.root().join("names/last.json")).unwrap();
    drop(fixture.store().lock(&|| false).unwrap());
    assert_eq!(fixture.files().len(), files.len() - 1, "{:?}", fixture.files());
}

#[test]
fn the_store_of_an_earlier_version_is_deleted() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.root().join("baselines/main/executables")).unwrap();
    fs::create_dir_all(fixture.root().join("last")).unwrap();
    assert!(fixture.store().list().unwrap().is_empty());
    fixture.save(&[named("main")], 1).unwrap();
    assert!(fixture.files().iter().all(|file| !file.contains("baselines") && file != "last"));
}

#[test]
fn list_contains_unreadable_baselines() {
    let fixture = Fixture::new();
    assert!(fixture.store().list().unwrap().is_empty());
    fixture.save(&[named("main"), BaselineRef::Last], 2).unwrap();
    fixture.plant("broken", "{");
    fixture.plant("bad~name", "{}");
    fs::write(fixture.root().join("names/damaged.json"), "{").unwrap();
    let listed = fixture.store().list().unwrap();
    let names: Vec<_> = listed.iter().map(|listed| listed.name.as_str()).collect();
    assert_eq!(names, ["bad~name", "broken", "damaged", "main"]);
    assert!(matches!(listed[0].baseline, Err(Error::Name(_))));
    assert!(matches!(listed[1].baseline, Err(Error::Damaged { .. })));
    assert_eq!(listed[1].size, 1);
    assert!(matches!(listed[2].baseline, Err(Error::Damaged { .. })));
    assert_eq!(listed[3].baseline.as_ref().unwrap().benchmarks.len(), 2);
    assert_eq!(listed[3].size, fixture.json("main").metadata().unwrap().len() + 12);
}

#[test]
fn unreadable_baselines_can_be_removed() {
    let fixture = Fixture::new();
    fixture.save(&[named("main"), named("other")], 2).unwrap();
    fixture.plant("broken", "{");
    let removed = fixture.store().remove(&"main".parse().unwrap(), &|| false).unwrap();
    assert_eq!(removed.baseline.unwrap().benchmarks.len(), 2);
    assert!(fixture.store().remove(&"broken".parse().unwrap(), &|| false).unwrap().baseline.is_err());
    fs::write(fixture.root().join("names/damaged.json"), "{").unwrap();
    assert!(fixture.store().remove(&"damaged".parse().unwrap(), &|| false).unwrap().baseline.is_err());
    let left: Vec<_> = fixture.store().list().unwrap().into_iter().map(|listed| listed.name).collect();
    assert_eq!(left, ["other"]);
    assert_eq!(fixture.files().len(), 4, "{:?}", fixture.files());
}
