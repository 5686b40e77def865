//! Export and import.

use super::archive::{ArchiveError, Exported, Imported};
use super::*;
use crate::relink;
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

pub(super) fn export(fixture: &Fixture, name: &str, file: &Path) -> Result<Exported, ArchiveError> {
    fixture.store().export(&name.parse().unwrap(), file, &|| false)
}

pub(super) fn import(fixture: &Fixture, file: &Path, name: Option<&str>) -> Result<Imported, ArchiveError> {
    let name = name.map(|name| name.parse::<BaselineName>().unwrap());
    fixture.store().lock(&|| false)?.import(file, name.as_ref(), false, false)
}

/// Creates a fixture with `main` and the file that it was exported to.
pub(super) fn exported() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 2).unwrap();
    let file = fixture.target().join("main.tar.gz");
    export(&fixture, "main", &file).unwrap();
    (fixture, file)
}

/// Returns the place of an executable with this content in an archive of `main`.
pub(super) fn place_of(content: &[u8]) -> String {
    format!("main/executables/{}", Fingerprint::of(content).digits())
}

/// Creates an archive of these entries.
pub(super) fn archive(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
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

#[test]
fn import_restores_the_exported_baseline() {
    let (fixture, file) = exported();
    let other = Fixture::new();
    let imported = import(&other, &file, None).unwrap();
    assert_eq!((imported.name.as_ref(), imported.earlier), ("main", None));
    assert_eq!(imported.executables, 2);
    let load = |fixture: &Fixture| fixture.store().load(&"main".parse().unwrap()).unwrap();
    let (there, here) = (load(&fixture), load(&other));
    assert!(there.baseline.has_content_of(&here.baseline));
    for executable in &here.baseline.executables {
        let path = here.stored_executable(executable).unwrap();
        assert_eq!(Fingerprint::from_file(&path).unwrap(), executable.hash);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        }
    }
}

#[test]
fn libraries_are_exported_with_their_executable() {
    let fixture = Fixture::new();
    let library = fixture.target().join("deps/libshared.so");
    fs::write(&library, "code").unwrap();
    let store = fixture.store();
    let lock = store.lock(&|| false).unwrap();
    let mut run = fixture.to_save(&[named("main")], 1);
    run.executables[0].libraries = vec![library.clone(), library];
    let staged = lock.stage(run, &[]).unwrap();
    staged.commit(environment(), vec![benchmark("b", Some(0))], None).unwrap();
    drop(lock);
    let exported = fixture.target().join("main.tar.gz");
    export(&fixture, "main", &exported).unwrap();
    let other = Fixture::new();
    assert_eq!(import(&other, &exported, None).unwrap().executables, 2);
    let loaded = other.store().load(&"main".parse().unwrap()).unwrap();
    let executable = &loaded.baseline.executables[0];
    assert_eq!(executable.libraries.len(), 1);
    assert!(loaded.stored_executable(executable).is_some());
}

#[test]
fn link_inputs_are_stored_and_exported_with_their_executable() {
    let fixture = Fixture::new();
    let built = &fixture.built()[0];
    let hash = Fingerprint::from_file(built).unwrap();
    let header = serde_json::json!({
        "format": 3, "executable": hash, "linker": "ld.lld", "command": {"before": [], "after": []},
    });
    fs::write(relink::file_of(built), format!("{header}\nobject")).unwrap();
    let last = BaselineRef::Last;
    fixture.save(&[last.clone(), named("main")], 1).unwrap();
    let stored = |fixture: &Fixture, baseline: &BaselineRef| {
        let loaded = fixture.store().load(baseline).unwrap();
        let executable = &loaded.baseline.executables[0];
        let path = loaded.stored_executable(executable).unwrap();
        let is_there = relink::kept_file(&path, &executable.hash).is_some();
        assert_eq!(executable.link_inputs.is_some(), is_there);
        is_there
    };
    assert!(stored(&fixture, &last) && stored(&fixture, &named("main")));
    let file = fixture.target().join("main.tar.gz");
    export(&fixture, "main", &file).unwrap();
    let other = Fixture::new();
    assert_eq!(import(&other, &file, None).unwrap().executables, 2);
    assert!(stored(&other, &named("main")));
    fs::write(built, "linked again").unwrap();
    fixture.save(&[named("main")], 1).unwrap();
    assert!(!stored(&fixture, &named("main")));
}

#[test]
fn an_executable_without_its_library_does_not_count() {
    let (fixture, _) = exported();
    let mut document: serde_json::Value =
        serde_json::from_slice(&fs::read(fixture.json("main")).unwrap()).unwrap();
    let first = document["executables"][0].clone();
    document["executables"][0]["libraries"] =
        serde_json::json!([{"file": "libshared.so", "size": 4, "hash": first["hash"]}]);
    let executable = serde_json::from_value::<Executable>(document["executables"][0].clone()).unwrap();
    let (text, name) = (document.to_string(), format!("main/executables/{}", executable.archived()[0].0));
    let file = fixture.target().join("edited.tar.gz");
    let entries: [(&str, EntryType, &[u8]); 2] =
        [("main/baseline.json", EntryType::Regular, text.as_bytes()), (&name, EntryType::Regular, b"first")];
    fs::write(&file, archive(&entries)).unwrap();
    assert_eq!(import(&fixture, &file, Some("edited")).unwrap().executables, 0);
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

/// Returns whether the executables of a baseline would run in comparisons.
#[track_caller]
fn runs(fixture: &Fixture, name: &str) -> bool {
    let saved = fixture.store().load(&name.parse().unwrap()).unwrap();
    let executable = &saved.baseline.executables[0];
    assert!(saved.stored_executable(executable).is_some(), "it is stored in any case");
    runnable_executable(&saved, executable).is_some()
}

fn trusting_import(fixture: &Fixture, file: &Path) -> Imported {
    fixture.store().lock(&|| false).unwrap().import(file, None, true, false).unwrap()
}

#[test]
fn imported_executables_run_only_if_the_user_says_so() {
    let (fixture, file) = exported();
    let other = Fixture::new();
    assert!(runs(&fixture, "main"), "it was saved here");
    assert_eq!(import(&other, &file, None).unwrap().baseline.origin, Origin::Import);
    assert!(!runs(&other, "main"));
    // It can't be laundered by another name, another file, or another version.
    export(&other, "main", &file).unwrap();
    import(&other, &file, Some("again")).unwrap();
    other.store().rename(&named("main"), &"renamed".parse().unwrap(), &|| false).unwrap();
    assert!(!runs(&other, "again") && !runs(&other, "renamed"));
    other.save(&[named("again")], 2).unwrap();
    assert!(runs(&other, "again") && !runs(&other, "again~1"));
    // Nor is a file trusted that was exported where it was.
    assert_eq!(trusting_import(&other, &file).earlier, None);
    assert!(runs(&other, "main"));
    export(&other, "main", &file).unwrap();
    assert_eq!(import(&other, &file, None).unwrap().earlier, None, "it replaces a copy of itself");
    assert!(!runs(&other, "main"));
    assert!(other.store().load(&"main~1".parse().unwrap()).is_err());
}

#[test]
fn nothing_of_strangers_is_taken_for_an_own_executable() {
    let (_fixture, file) = exported();
    let other = Fixture::new();
    import(&other, &file, Some("theirs")).unwrap();
    let [theirs, _] = [0, 1].map(|index| other.copy("theirs", index));
    assert_eq!(other.number_of_executables(), 0, "{:?}", other.files());
    // Link inputs name a program to start.
    fs::write(relink::file_of(&theirs), "theirs").unwrap();
    fs::write(&theirs, "FIRST").unwrap();
    other.save(&[named("main")], 1).unwrap();
    let own = other.copy("main", 0);
    assert_eq!((fs::read(&own).unwrap(), relink::file_of(&own).exists()), (b"first".to_vec(), false));
}

#[test]
fn no_file_speaks_for_itself() {
    let (fixture, _) = exported();
    let json = fs::read_to_string(fixture.json("main")).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let machine = serde_json::to_value(Environment::this_machine()).unwrap();
    let file = fixture.target().join("file");
    for (environment, is_elsewhere) in
        [(machine, false), (serde_json::json!({}), true), (serde_json::json!({"os": "Another"}), true)]
    {
        document["environment"] = environment;
        document["from_other_machine"] = false.into();
        for origin in ["run", "trusted_import", "import", "of a later version"] {
            document["origin"] = origin.into();
            let text = document.to_string();
            let entries = [
                ("main/baseline.json", EntryType::Regular, text.as_bytes()),
                (&place_of(b"first"), EntryType::Regular, b"first"),
            ];
            fs::write(&file, archive(&entries)).unwrap();
            let other = Fixture::new();
            let imported = import(&other, &file, None).unwrap();
            assert_eq!(imported.baseline.from_other_machine, is_elsewhere);
            assert_eq!(imported.executables, 1);
            assert!(!runs(&other, "main"), "{origin} {}", document["environment"]);
            trusting_import(&other, &file);
            assert!(runs(&other, "main"));
        }
    }
}

#[test]
fn a_file_of_the_own_run_changes_nothing() {
    let (fixture, file) = exported();
    assert_eq!(import(&fixture, &file, None).unwrap().baseline.origin, Origin::Run);
    assert!(runs(&fixture, "main"));
    assert!(!fixture.store().contains(&"main~1".parse().unwrap()));
}

#[test]
fn missing_executables_are_counted() {
    let fixture = Fixture::new();
    fixture.save(&[named("main")], 2).unwrap();
    fs::write(fixture.copy("main", 0), "other").unwrap();
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
    #[cfg(unix)]
    {
        let pipe = fixture.target().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = export(&fixture, "main", &pipe).unwrap_err();
        assert!(matches!(error, ArchiveError::NotAFile { .. }), "{error:?}");
        let link = fixture.target().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        export(&fixture, "main", &link).unwrap();
        assert!(link.is_symlink(), "the file behind a link is replaced");
    }
    assert!(matches!(export(&fixture, "mian", &file), Err(ArchiveError::Store(Error::Unknown { .. }))));
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

#[test]
fn long_names_are_exported_and_imported() {
    let fixture = Fixture::new();
    let name = "n".repeat(60);
    let long = fixture.target().join("deps").join("e".repeat(200));
    fs::write(&long, "long").unwrap();
    {
        let store = fixture.store();
        let lock = store.lock(&|| false).unwrap();
        let staged = lock.stage(to_save(vec![long], &[named(&name)], 0), &[]).unwrap();
        staged.commit(environment(), Vec::new(), None).unwrap();
    }
    let file = fixture.target().join("file");
    export(&fixture, &name, &file).unwrap();
    assert_eq!(import(&Fixture::new(), &file, None).unwrap().executables, 1);
}

#[cfg(unix)]
#[test]
fn exported_file_has_the_permissions_of_any_new_file() {
    use rustix::fs::Mode;
    use std::os::unix::fs::PermissionsExt as _;
    let (fixture, _) = exported();
    for (umask, expected) in [(0o002, 0o664), (0o027, 0o640)] {
        let file = fixture.target().join(format!("umask-{umask:o}"));
        let before = rustix::process::umask(Mode::from_raw_mode(umask));
        let done = export(&fixture, "main", &file);
        rustix::process::umask(before);
        done.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, expected);
    }
}
