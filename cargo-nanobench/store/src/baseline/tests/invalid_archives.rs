//! Files that can't be imported.

use super::archive::{ArchiveError, ArchiveFlaw};
use super::archives::{archive, export, exported, import, place_of};
use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use tar::{EntryType, Header};

/// Imports these bytes into an empty store. Returns the flaw, and checks that the store is still
/// empty.
fn flaw_of(bytes: &[u8]) -> ArchiveFlaw {
    let fixture = Fixture::new();
    let file = fixture.target().join("file");
    fs::write(&file, bytes).unwrap();
    match import(&fixture, &file, None) {
        Err(ArchiveError::Invalid { flaw, .. }) => {
            let files = fixture.files();
            assert!(files.is_empty(), "{files:?}");
            flaw
        }
        other => panic!("{other:?}"),
    }
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
    let name = Fingerprint::of(b"first").digits();
    for path in [
        &*format!("../{name}"),
        &format!("/tmp/{name}"),
        &format!("main/../{name}"),
        &format!("main/executables/../../{name}"),
        &place_of(b"third"),
        "main/executables/",
        "main/executables",
        "main/other",
        &format!("other/executables/{name}"),
        &format!("main/executables/a/{name}"),
        "main/baseline.json",
    ] {
        let flaw = with(path, EntryType::Regular, b"first");
        assert!(matches!(flaw, ArchiveFlaw::UnexpectedEntry(_)), "{path}: {flaw:?}");
    }
    let first = &*place_of(b"first");
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
    let library = r#""libraries":[{"file":"\u001b]0;x","size":1,"hash":"xxh3:0"}],"size":5"#;
    let hostile = json.replacen("\"size\":5", library, 1).into_bytes();
    let executable: RunRecord = RunRecord::parse(&hostile).unwrap();
    let name = &format!("main/executables/{}", executable.executables[0].archived()[1].0);
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

/// Creates an archive from raw headers: path, kind, claimed size, and content.
fn claiming(entries: &[(&str, EntryType, u64, &[u8])]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::fast());
    for (path, kind, size, content) in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_size(*size);
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        file.write_all(header.as_bytes()).unwrap();
        file.write_all(content).unwrap();
        file.write_all(&vec![0; content.len().next_multiple_of(512) - content.len()]).unwrap();
    }
    file.finish().unwrap()
}

#[test]
fn nothing_expands_beyond_the_limit_for_its_part() {
    let (fixture, _) = exported();
    let json = fs::read(fixture.json("main")).unwrap();
    let first = |content: &[u8]| archive(&[("main/baseline.json", EntryType::Regular, content)]);

    let large = claiming(&[("main/baseline.json", EntryType::Regular, 1 << 40, b"{")]);
    assert!(matches!(flaw_of(&large), ArchiveFlaw::TooLarge(_)));

    let zeros = vec![0; 1 << 20];
    for kind in [EntryType::GNULongName, EntryType::XHeader, EntryType::GNULongLink] {
        let long_name = claiming(&[("main/long", kind, 1 << 20, &zeros)]);
        assert!(matches!(flaw_of(&long_name), ArchiveFlaw::Oversized), "{kind:?}");
    }

    let mut document: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let round = &mut document["benchmarks"][0]["measurement"]["launches"][0]["samples"]["round"];
    *round = vec![0; (4 << 20) + 1].into();
    let flaw = flaw_of(&first(document.to_string().as_bytes())).to_string();
    assert!(flaw.contains("a list has more than 4194304 items at line 1 column"), "{flaw}");

    let commas = json.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect::<Vec<_>>();
    let many = [&commas[..commas.len() - 2], b",\"later\":[", &b"0,".repeat(17 << 20), b"0]}"].concat();
    let flaw = flaw_of(&first(&many)).to_string();
    assert!(flaw.contains("more than 16777216 values"), "{flaw}");

    let mut document: serde_json::Value = serde_json::from_slice(&json).unwrap();
    document["benchmarks"][0]["benchmark"]["description"] = "x".repeat(2 << 20).into();
    let flaw = flaw_of(&first(document.to_string().as_bytes())).to_string();
    assert!(flaw.contains("a record has more than 1048576 bytes"), "{flaw}");

    let with = |name: &str, value: serde_json::Value| {
        let mut document: serde_json::Value = serde_json::from_slice(&json).unwrap();
        document[name] = value;
        flaw_of(&first(document.to_string().as_bytes())).to_string()
    };
    let run = serde_json::json!({"created": "2026-01-01T00:00:00Z", "environment": {}});
    let flaw = with("earlier_runs", vec![run; 70_000].into());
    assert!(flaw.contains("a list has more than 65536 items"), "{flaw}");
    let flaw = with("environment", serde_json::json!({"rustflags": vec![""; 1 << 20]}));
    assert!(flaw.contains("a record has more than 1048576 bytes"), "{flaw}");

    let with_executables = |change: &dyn Fn(&mut Vec<serde_json::Value>)| {
        let mut document: serde_json::Value = serde_json::from_slice(&json).unwrap();
        change(document["executables"].as_array_mut().unwrap());
        flaw_of(&first(document.to_string().as_bytes()))
    };
    let flaw = with_executables(&|all| *all = vec![all[0].clone(); 5000]);
    assert!(matches!(&flaw, ArchiveFlaw::TooLarge(text) if text.starts_with("it lists 5000 ")), "{flaw:?}");
    let flaw = with_executables(&|all| all[0]["name"] = "x".repeat(9 << 20).into()).to_string();
    assert!(flaw.contains("a record has more than 8388608 bytes"), "{flaw}");
    let flaw = with_executables(&|all| all[1]["size"] = u64::MAX.into());
    assert!(matches!(&flaw, ArchiveFlaw::TooLarge(text) if text.ends_with(" in total")), "{flaw:?}");
    let flaw = with_executables(&|all| all[1]["size"] = (3_u64 << 30).into()).to_string();
    assert!(flaw.contains("3.00 GiB; to import them all the same, add --large"), "{flaw}");
    let library = serde_json::json!({"file": "x".repeat(300), "size": 1, "hash": "xxh3:0"});
    let flaw = with_executables(&|all| all[1]["libraries"] = vec![library.clone()].into());
    assert!(matches!(&flaw, ArchiveFlaw::TooLarge(text) if text.ends_with(" has 300 bytes")), "{flaw:?}");

    let mut rest = GzEncoder::new(Vec::new(), Compression::fast());
    let whole = first(&json);
    std::io::copy(&mut flate2::read::GzDecoder::new(&whole[..]), &mut rest).unwrap();
    rest.write_all(&[0; 2 << 20]).unwrap();
    assert!(matches!(
        flaw_of(&rest.finish().unwrap()),
        ArchiveFlaw::Oversized | ArchiveFlaw::NotAnArchive(_)
    ));
}
