//! Export and import, and invalid files.

use super::archive::{ArchiveError, ArchiveFlaw, Exported, Imported};
use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use tar::{Builder, EntryType, Header};

fn export(fixture: &Fixture, name: &str, file: &Path) -> Result<Exported, ArchiveError> {
    fixture.store().export(&name.parse().unwrap(), file, &|| false)
}

fn import(fixture: &Fixture, file: &Path, name: Option<&str>) -> Result<Imported, ArchiveError> {
    let name = name.map(|name| name.parse::<BaselineName>().unwrap());
    fixture.store().lock(&|| false)?.import(file, name.as_ref(), false)
}

/// Creates a fixture with `main` and the file that it was exported to.
fn exported() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 2).unwrap();
    let file = fixture.target().join("main.tar.gz");
    export(&fixture, "main", &file).unwrap();
    (fixture, file)
}

/// Creates an archive of these entries.
fn archive(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, kind, content) in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // `set_path` would refuse some of them.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        if *kind == EntryType::Symlink {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

/// Imports these bytes into an empty store. Returns the flaw, and checks that the store is still
/// empty.
fn flaw_of(bytes: &[u8]) -> ArchiveFlaw {
    let fixture = Fixture::new();
    let file = fixture.target().join("file");
    fs::write(&file, bytes).unwrap();
    match import(&fixture, &file, None) {
        Err(ArchiveError::Invalid { flaw, .. }) => {
            let files = fixture.files();
            assert!(files.iter().all(|file| file == "baselines"), "{files:?}");
            flaw
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn import_restores_the_exported_baseline() {
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
fn import_can_rename_and_keeps_the_previous_baseline() {
    let (fixture, file) = exported();
    assert_eq!(import(&fixture, &file, Some("next")).unwrap().earlier, None);
    assert_eq!(import(&fixture, &file, Some("next")).unwrap().earlier, None, "it is saved already");
    assert!(fixture.store().load(&"next~1".parse().unwrap()).is_err());
    fixture.save(&[named("next")], 7).unwrap();
    let earlier = import(&fixture, &file, Some("next")).unwrap().earlier.unwrap();
    assert_eq!(earlier.name(), "next~1");
    assert_eq!(fixture.store().load(&earlier).unwrap().baseline.benchmarks.len(), 7);
    // `main~1` is not a name to save as.
    fixture.save(&[named("main")], 1).unwrap();
    let before = fixture.target().join("before.tar.gz");
    export(&fixture, "main~1", &before).unwrap();
    let error = import(&fixture, &before, None).unwrap_err();
    assert!(error.to_string().contains("--name NAME"), "{error}");
    import(&fixture, &before, Some("old")).unwrap();
}

#[test]
fn executables_of_another_machine_are_stored_but_not_run() {
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
    // Another export keeps the executables and the mark.
    assert_eq!(export(&fixture, "main", &file).unwrap().executables, 2);
    assert!(import(&fixture, &file, None).unwrap().baseline.from_other_machine);
    let trusting = fixture.store().lock(&|| false).unwrap().import(&file, None, true).unwrap();
    assert!(!trusting.baseline.from_other_machine);
}

#[test]
fn missing_executables_are_counted() {
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
fn only_exported_files_are_replaced() {
    let (fixture, file) = exported();
    export(&fixture, "main", &file).unwrap();
    let mine = fixture.target().join("Cargo.toml");
    fs::write(&mine, "mine").unwrap();
    let error = export(&fixture, "main", &mine).unwrap_err();
    assert!(matches!(error, ArchiveError::NotReplaceable { .. }), "{error:?}");
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    assert!(matches!(export(&fixture, "mian", &file), Err(ArchiveError::Store(Error::Unknown { .. }))));
}

#[test]
fn truncated_and_damaged_files_are_refused() {
    let (_fixture, file) = exported();
    let complete = fs::read(&file).unwrap();
    for length in [0, 1, 10, complete.len() / 2, complete.len() - 9, complete.len() - 1] {
        let flaw = flaw_of(&complete[..length]);
        assert!(matches!(flaw, ArchiveFlaw::NotAnArchive(_) | ArchiveFlaw::Empty), "{length}: {flaw:?}");
    }
    let mut damaged = complete.clone();
    let checksum = damaged.len() - 6;
    damaged[checksum] ^= 1;
    assert!(matches!(flaw_of(&damaged), ArchiveFlaw::NotAnArchive(_)));
    assert!(matches!(flaw_of(b"no archive at all"), ArchiveFlaw::NotAnArchive(_)));
}

#[test]
fn entries_cannot_leave_the_folder() {
    let (fixture, _) = exported();
    let json = fs::read(fixture.json("main")).unwrap();
    let with = |path: &str, kind, content: &[u8]| {
        flaw_of(&archive(&[("main/baseline.json", EntryType::Regular, &json), (path, kind, content)]))
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
    assert!(matches!(flaw_of(&archive(&twice)), ArchiveFlaw::UnexpectedEntry(_)), "twice");
}

#[test]
fn first_entry_must_be_a_baseline() {
    let (fixture, _) = exported();
    let json = fs::read(fixture.json("main")).unwrap();
    let first = |path: &str, content: &[u8]| flaw_of(&archive(&[(path, EntryType::Regular, content)]));
    assert!(matches!(first("baseline.json", &json), ArchiveFlaw::UnexpectedEntry(_)));
    assert!(matches!(first("a/b/baseline.json", &json), ArchiveFlaw::UnexpectedEntry(_)));
    assert!(matches!(first("../baseline.json", &json), ArchiveFlaw::Name(_)));
    assert!(matches!(first("main/baseline.json", b"{}"), ArchiveFlaw::Damaged(_)));
    assert!(matches!(first("main/baseline.json", br#"{"format": 9}"#), ArchiveFlaw::NewerFormat));
    assert!(matches!(first("main/baseline.json", br#"{"format": 1}"#), ArchiveFlaw::OlderFormat));
    assert!(matches!(flaw_of(&archive(&[])), ArchiveFlaw::Empty));
    let mut empty = GzEncoder::new(Vec::new(), Compression::fast());
    empty.write_all(b"").unwrap();
    assert!(matches!(flaw_of(&empty.finish().unwrap()), ArchiveFlaw::Empty));
    let later = archive(&[("main/baseline.json", EntryType::Regular, br#"{"format": 9}"#)]);
    let file = fixture.target().join("later");
    fs::write(&file, &later).unwrap();
    export(&fixture, "main", &file).unwrap();
}

#[test]
fn errors_escape_control_characters() {
    let (fixture, _) = exported();
    let json = fs::read_to_string(fixture.json("main")).unwrap();
    let hostile = json.replace("first-1", "\\u001b]0;x").into_bytes();
    let name = "main/executables/\u{1b}]0;x";
    let flaws = [
        flaw_of(&archive(&[("\u{1b}]0;x", EntryType::Regular, b"")])),
        flaw_of(&archive(&[("\u{1b}]0;x/baseline.json", EntryType::Regular, json.as_bytes())])),
        flaw_of(&archive(&[
            ("main/baseline.json", EntryType::Regular, &hostile),
            (name, EntryType::Regular, b"firts"),
        ])),
        flaw_of(&archive(&[
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
fn write_errors_are_not_flaws_of_the_file() {
    let flawed = |flaw| panic!("{flaw}");
    let error =
        super::archive::extract(&mut &b"whole"[..], Path::new("no/such/folder"), &flawed).unwrap_err();
    assert!(matches!(error, ArchiveError::Store(Error::Io(IoError { action: "write", .. }))), "{error:?}");
}

#[test]
fn errors_of_named_files_have_their_own_advice() {
    let (fixture, _) = exported();
    let (folder, file) = (fixture.target().join("none"), fixture.target().join("none/main.tar.gz"));
    let written = export(&fixture, "main", &file).unwrap_err().to_string();
    assert!(written.contains(&format!("cannot write `{}`", file.display())), "{written}");
    assert!(written.contains("name another file") && !written.contains(" at path "), "{written}");
    let read = import(&fixture, &file, None).unwrap_err().to_string();
    assert!(read.contains("name a file that was exported") && !folder.exists(), "{read}");
    for message in [written, read] {
        assert!(!message.contains("--target-dir"), "{message}");
    }
}
