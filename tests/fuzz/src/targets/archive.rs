//! Archives of baselines: import, and export of what was imported.

use crate::folder;
use flate2::Crc;
use std::cell::Cell;
use std::fs;
use std::sync::LazyLock;
use store::baseline::{BaselineName, BaselineRef, LockedStore, Store};

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
/// Bytes that begin as an object do are the file of a `Bench`. Others that don't begin as a
/// compressed file do are a `tar`: its checksums are corrected, as nearly
/// every change would be refused for them, and it becomes such a file.
pub fn archive(data: &[u8]) {
    let file = if data.starts_with(b"\x1f\x8b") || data.starts_with(b"{") {
        folder::write("archive", data)
    } else {
        folder::write("archive", &stored(&with_checksums(data)))
    };
    let name: BaselineName = "imported".parse().expect("a name");
    let baseline = BaselineRef::Named(name.clone());
    let lock = LOCK.take().unwrap_or_else(|| STORE.lock(&NEVER).expect("a lock"));
    let Ok(imported) = lock.import(&file, Some(&name), false, false) else {
        LOCK.set(Some(lock));
        assert!(!STORE.contains(&baseline), "a failed import saved something");
        // Whatever it left stays there, so that not every input has to look for it.
        if data.len().is_multiple_of(8) {
            assert_eq!(names(), ["archive", "target"]);
        }
        return;
    };
    drop(lock);
    let loaded = STORE.load(&baseline).expect("an imported baseline");
    assert_eq!(loaded.baseline, imported.baseline);
    STORE.export(&baseline, &folder::path("exported"), &NEVER).expect("an export");
    let lock = STORE.lock(&NEVER).expect("a lock");
    let again = lock.import(&folder::path("exported"), Some(&name), false, false).expect("what was exported");
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

/// Returns a `tar` with the right checksum in each of its headers.
fn with_checksums(tar: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 512;
    const SIZE: std::ops::Range<usize> = 124..136;
    const CHECKSUM: std::ops::Range<usize> = 148..156;
    let mut tar = tar.to_vec();
    let mut at = 0;
    while let Some(header) = tar.get_mut(at..at + BLOCK).filter(|header| header.iter().any(|&byte| byte != 0))
    {
        header[CHECKSUM].fill(b' ');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[CHECKSUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let digits = header[SIZE].iter().skip_while(|&&byte| byte == b' ');
        let digits = digits.map_while(|byte| byte.checked_sub(b'0').filter(|&digit| digit < 8));
        let size = digits.fold(0_usize, |size, digit| size.saturating_mul(8).saturating_add(digit.into()));
        at = size.div_ceil(BLOCK).saturating_add(1).saturating_mul(BLOCK).saturating_add(at);
        if at > tar.len() {
            break;
        }
    }
    tar
}

/// Returns a gzip file of these bytes, uncompressed: compressing takes most of an input's time.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut file = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    let mut crc = Crc::new();
    crc.update(bytes);
    for part in bytes.chunks(usize::from(u16::MAX)) {
        let length = part.len() as u16;
        file.push(0);
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        file.extend(part);
    }
    // The last block is empty.
    file.extend(b"\x01\0\0\xff\xff");
    file.extend(crc.sum().to_le_bytes());
    file.extend((bytes.len() as u32).to_le_bytes());
    file
}
