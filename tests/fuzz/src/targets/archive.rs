//! Archives of baselines: import, and export of what was imported.

use crate::baseline::{BaselineName, BaselineRef, LockedStore, Store};
use crate::folder;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::cell::Cell;
use std::fs;
use std::io::Write as _;
use std::sync::LazyLock;

const NEVER: fn() -> bool = || false;

static STORE: LazyLock<Store> =
    LazyLock::new(|| Store::open(&folder::path("target"), &folder::path("target")));

thread_local! {
    /// The lock stays from input to input, as most are refused.
    static LOCK: Cell<Option<LockedStore<'static>>> = const { Cell::new(None) };
}

/// An import changes nothing outside of the store, and nothing at all if it fails. What was
/// imported is the same after an export.
///
/// Bytes that don't begin as a compressed file do are compressed first: a `tar`.
pub fn archive(data: &[u8]) {
    let file = if data.starts_with(b"\x1f\x8b") {
        folder::write("archive", data)
    } else {
        let mut compressed = GzEncoder::new(Vec::new(), Compression::none());
        compressed.write_all(data).expect("memory");
        folder::write("archive", &compressed.finish().expect("memory"))
    };
    let name: BaselineName = "imported".parse().expect("a name");
    let baseline = BaselineRef::Named(name.clone());
    let lock = LOCK.take().unwrap_or_else(|| STORE.lock(&NEVER).expect("a lock"));
    let Ok(imported) = lock.import(&file, Some(&name), false) else {
        LOCK.set(Some(lock));
        assert_eq!(names(), ["archive", "target"]);
        assert!(!STORE.contains(&baseline), "a failed import saved something");
        return;
    };
    drop(lock);
    let loaded = STORE.load(&baseline).expect("an imported baseline");
    assert_eq!(loaded.baseline, imported.baseline);
    STORE.export(&baseline, &folder::path("exported"), &NEVER).expect("an export");
    let lock = STORE.lock(&NEVER).expect("a lock");
    let again = lock.import(&folder::path("exported"), Some(&name), false).expect("what was exported");
    assert_eq!(again.baseline, imported.baseline);
    drop(lock);
    assert_eq!(names(), ["archive", "exported", "target"]);
    fs::remove_file(folder::path("exported")).expect("a file");
    fs::remove_dir_all(folder::path("target")).expect("a folder");
}

/// Returns the names in the folder.
fn names() -> Vec<String> {
    let entries = fs::read_dir(folder::path("")).expect("a folder").flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
