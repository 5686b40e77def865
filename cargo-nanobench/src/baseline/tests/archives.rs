//! Export and import, and files that aren't what they should be.

use super::archive::{ArchiveFlaw, Exported, Imported};
use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use tar::{Builder, EntryType, Header};

fn export(fixture: &Fixture, name: &str, file: &Path) -> Result<Exported, Error> {
    fixture.store().export(&name.parse().unwrap(), file, &|| false)
}

fn import(fixture: &Fixture, file: &Path, name: Option<&str>) -> Result<Imported, Error> {
    let name = name.map(|name| name.parse::<BaselineName>().unwrap());
    fixture.store().lock(&|| false)?.import(file, name.as_ref(), false)
}

/// A fixture with `main` and the file that it was exported to.
fn exported() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 2).unwrap();
    let file = fixture.target().join("main.tar.gz");
    export(&fixture, "main", &file).unwrap();
    (fixture, file)
}

/// An archive of these entries.
fn archive(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, kind, content) in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // As it is, where `set_path` would refuse it.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        if *kind == EntryType::Symlink {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

/// What is imported from these bytes, into a store that holds nothing. It holds nothing afterwards either.
fn refused(bytes: &[u8]) -> ArchiveFlaw {
    let fixture = Fixture::new();
    let file = fixture.target().join("file");
    fs::write(&file, bytes).unwrap();
    match import(&fixture, &file, None) {
        Err(Error::NotImported { flaw, .. }) => {
            let files = fixture.files();
            assert!(files.iter().all(|file| file == "baselines"), "{files:?}");
            flaw
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_imported_is_what_was_exported() {
    let (fixture, file) = exported();
    let other = Fixture::new();
    let imported = import(&other, &file, None).unwrap();
    assert_eq!((imported.name.as_ref(), imported.earlier), ("main", None));
    let load = |fixture: &Fixture| fixture.store().load(&"main".parse().unwrap()).unwrap();
    let (there, here) = (load(&fixture), load(&other));
    assert_eq!(there.baseline, here.baseline);
    for executable in &here.baseline.executables {
        let path = here.runnable_executable(executable).unwrap();
        assert_eq!(Fingerprint::from_file(&path).unwrap(), executable.hash);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        }
    }
}

#[test]
fn another_name_may_be_given_and_what_had_it_is_kept() {
    let (fixture, file) = exported();
    assert_eq!(import(&fixture, &file, Some("next")).unwrap().earlier, None);
    assert_eq!(import(&fixture, &file, Some("next")).unwrap().earlier, None, "it is there already");
    assert!(fixture.store().load(&"next~1".parse().unwrap()).is_err());
    fixture.save(&[named("next")], 7).unwrap();
    let earlier = import(&fixture, &file, Some("next")).unwrap().earlier.unwrap();
    assert_eq!(earlier.name(), "next~1");
    assert_eq!(fixture.store().load(&earlier).unwrap().baseline.benchmarks.len(), 7);
    // What was `main~1` has no name that something could be saved as.
    fixture.save(&[named("main")], 1).unwrap();
    let before = fixture.target().join("before.tar.gz");
    export(&fixture, "main~1", &before).unwrap();
    let error = import(&fixture, &before, None).unwrap_err();
    assert!(error.to_string().contains("--name NAME"), "{error}");
    import(&fixture, &before, Some("old")).unwrap();
}

#[test]
fn executables_of_another_machine_are_kept_and_not_given_out() {
    let fixture = Fixture::new();
    let elsewhere = Environment { cpu: Some("Another CPU".into()), ..environment() };
    {
        let store = fixture.store();
        let lock = store.lock(&|| false).unwrap();
        let staged = lock.stage(&fixture.built(), &[named("main")], 0).unwrap();
        staged.commit(elsewhere, Vec::new()).unwrap();
    }
    let file = fixture.target().join("file");
    export(&fixture, "main", &file).unwrap();
    assert!(import(&fixture, &file, None).unwrap().baseline.from_other_machine);
    let saved = fixture.store().load(&"main".parse().unwrap()).unwrap();
    for executable in &saved.baseline.executables {
        assert_eq!(saved.runnable_executable(executable), None);
        assert!(saved.stored_executable(executable).is_some());
    }
    // They go along when it is exported again, and so does what is known of them.
    assert_eq!(export(&fixture, "main", &file).unwrap().executables, 2);
    assert!(import(&fixture, &file, None).unwrap().baseline.from_other_machine);
    let trusting = fixture.store().lock(&|| false).unwrap().import(&file, None, true).unwrap();
    assert!(!trusting.baseline.from_other_machine);
}

#[test]
fn what_is_gone_is_left_out_and_said() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 2).unwrap();
    fs::write(fixture.root().join("baselines/main/executables/first-1"), "other").unwrap();
    let file = fixture.target().join("file");
    let exported = export(&fixture, "main", &file).unwrap();
    assert_eq!((exported.executables, exported.missing), (1, 1));
    assert_eq!(exported.size, file.metadata().unwrap().len());
    import(&fixture, &file, Some("next")).unwrap();
}

#[test]
fn only_an_exported_file_is_replaced() {
    let (fixture, file) = exported();
    export(&fixture, "main", &file).unwrap();
    let mine = fixture.target().join("Cargo.toml");
    fs::write(&mine, "mine").unwrap();
    let error = export(&fixture, "main", &mine).unwrap_err();
    assert!(matches!(error, Error::NotReplaceable { .. }), "{error:?}");
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    assert!(matches!(export(&fixture, "mian", &file), Err(Error::Unknown { .. })));
}

#[test]
fn a_file_that_is_cut_short_or_damaged_changes_nothing() {
    let (_fixture, file) = exported();
    let whole = fs::read(&file).unwrap();
    for length in [0, 1, 10, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
        let flaw = refused(&whole[..length]);
        assert!(matches!(flaw, ArchiveFlaw::NotAnArchive(_) | ArchiveFlaw::Empty), "{length}: {flaw:?}");
    }
    let mut damaged = whole.clone();
    let checksum = damaged.len() - 6;
    damaged[checksum] ^= 1;
    assert!(matches!(refused(&damaged), ArchiveFlaw::NotAnArchive(_)));
    assert!(matches!(refused(b"no archive at all"), ArchiveFlaw::NotAnArchive(_)));
}

#[test]
fn nothing_in_a_file_leads_out_of_its_place() {
    let (fixture, _) = exported();
    let json = fs::read(fixture.json("main")).unwrap();
    let with = |path: &str, kind, content: &[u8]| {
        refused(&archive(&[("main/baseline.json", EntryType::Regular, &json), (path, kind, content)]))
    };
    for path in [
        "../first-1",
        "/tmp/first-1",
        "main/../first-1",
        "main/executables/../../first-1",
        "main/executables/third-3",
        "main/executables/",
        "main/executables",
        "main/other",
        "other/executables/first-1",
        "main/executables/a/first-1",
        "main/baseline.json",
    ] {
        let flaw = with(path, EntryType::Regular, b"first");
        assert!(matches!(flaw, ArchiveFlaw::UnexpectedEntry(_)), "{path}: {flaw:?}");
    }
    let first = "main/executables/first-1";
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Directory, EntryType::Char] {
        let flaw = with(first, kind, b"");
        assert!(matches!(flaw, ArchiveFlaw::UnexpectedEntry(_)), "{kind:?}: {flaw:?}");
    }
    assert!(
        matches!(with(first, EntryType::Regular, b"firts"), ArchiveFlaw::ExecutableMismatch(_)),
        "another hash"
    );
    assert!(
        matches!(with(first, EntryType::Regular, b"first, and more"), ArchiveFlaw::ExecutableMismatch(_)),
        "another size"
    );
    let twice = [
        ("main/baseline.json", EntryType::Regular, &json[..]),
        (first, EntryType::Regular, b"first"),
        (first, EntryType::Regular, b"first"),
    ];
    assert!(matches!(refused(&archive(&twice)), ArchiveFlaw::UnexpectedEntry(_)), "twice");
}

#[test]
fn what_begins_otherwise_is_no_baseline() {
    let (fixture, _) = exported();
    let json = fs::read(fixture.json("main")).unwrap();
    let first = |path: &str, content: &[u8]| refused(&archive(&[(path, EntryType::Regular, content)]));
    assert!(matches!(first("baseline.json", &json), ArchiveFlaw::UnexpectedEntry(_)));
    assert!(matches!(first("a/b/baseline.json", &json), ArchiveFlaw::UnexpectedEntry(_)));
    assert!(matches!(first("../baseline.json", &json), ArchiveFlaw::Name(_)));
    assert!(matches!(first("main/baseline.json", b"{}"), ArchiveFlaw::Damaged(_)));
    assert!(matches!(first("main/baseline.json", br#"{"format": 9}"#), ArchiveFlaw::NewerFormat));
    assert!(matches!(refused(&archive(&[])), ArchiveFlaw::Empty));
    let mut empty = GzEncoder::new(Vec::new(), Compression::fast());
    empty.write_all(b"").unwrap();
    assert!(matches!(refused(&empty.finish().unwrap()), ArchiveFlaw::Empty));
    let later = archive(&[("main/baseline.json", EntryType::Regular, br#"{"format": 9}"#)]);
    let file = fixture.target().join("later");
    fs::write(&file, &later).unwrap();
    export(&fixture, "main", &file).unwrap();
}

#[test]
fn nothing_in_a_file_speaks_to_the_terminal() {
    let (fixture, _) = exported();
    let json = fs::read_to_string(fixture.json("main")).unwrap();
    let hostile = json.replace("first-1", "\\u001b]0;x").into_bytes();
    let name = "main/executables/\u{1b}]0;x";
    let flaws = [
        refused(&archive(&[("\u{1b}]0;x", EntryType::Regular, b"")])),
        refused(&archive(&[("\u{1b}]0;x/baseline.json", EntryType::Regular, json.as_bytes())])),
        refused(&archive(&[
            ("main/baseline.json", EntryType::Regular, &hostile),
            (name, EntryType::Regular, b"firts"),
        ])),
        refused(&archive(&[
            ("main/baseline.json", EntryType::Regular, &hostile),
            (name, EntryType::Regular, b"1"),
        ])),
    ];
    for flaw in flaws {
        let text = flaw.to_string();
        assert!(!text.contains('\u{1b}') && text.contains("\\u{1b}]0;x"), "{text:?}");
    }
}

#[test]
fn what_can_not_be_written_is_no_flaw_of_the_file() {
    let flawed = |flaw| panic!("{flaw}");
    let error =
        super::archive::extract(&mut &b"whole"[..], Path::new("no/such/folder"), &flawed).unwrap_err();
    assert!(matches!(error, Error::System { doing: "write", .. }), "{error:?}");
}

#[test]
fn files_to_export_to_and_import_from_have_advice_of_their_own() {
    let (fixture, _) = exported();
    let (folder, file) = (fixture.target().join("none"), fixture.target().join("none/main.tar.gz"));
    let written = export(&fixture, "main", &file).unwrap_err().to_string();
    assert!(written.contains(&format!("cannot write `{}`", file.display())), "{written}");
    assert!(written.contains("name another file") && !written.contains(" at path "), "{written}");
    let read = import(&fixture, &file, None).unwrap_err().to_string();
    assert!(read.contains("name a file that was exported") && !folder.exists(), "{read}");
    for said in [written, read] {
        assert!(!said.contains("--target-dir"), "{said}");
    }
}
