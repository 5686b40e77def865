//! The kept inputs of a link.
//!
//! The corpus has those of an empty executable. To build them again:
//!
//!     gcc -O1 -fno-builtin -g0 -fPIE -fno-asynchronous-unwind-tables -ffunction-sections \
//!         -c fixture/benchmark.c -o object.o
//!     objcopy -R .comment -R .note.gnu.property -R .note.GNU-stack object.o
//!     (head -n 1 corpus/link_inputs/benchmark; cat object.o) > inputs && mv inputs corpus/link_inputs/benchmark

use crate::folder;
use machine_code::relink::{self, LayoutError};
use project::fingerprint::Fingerprint;
use std::path::PathBuf;
use std::sync::LazyLock;

/// An empty executable.
static EXECUTABLE: LazyLock<(PathBuf, Fingerprint)> = LazyLock::new(|| {
    let path = folder::write("executable", b"");
    let fingerprint = Fingerprint::from_file(&path).expect("a fingerprint");
    (path, fingerprint)
});

/// The functions of two equal objects lie at the same places, whatever an object contains. Nothing
/// is linked: the file names the program that would be started.
pub fn link_inputs(data: &[u8]) {
    let (executable, fingerprint) = &*EXECUTABLE;
    let orders = relink::orders_of_kept(data, fingerprint);
    if let Ok([one, other]) = &orders {
        assert_eq!(one, other);
    }
    // Files take ten times as long as their content.
    if !data.len().is_multiple_of(16) {
        return;
    }
    let path = folder::write("executable.link", data);
    let belongs = !matches!(orders, Err(LayoutError::Damaged { .. } | LayoutError::LinkedAgain));
    let found = relink::kept_file(executable, fingerprint);
    assert!(found.is_some() || !belongs);
    assert!(found.is_none_or(|found| found == path));
    assert_eq!(relink::Layouts::of([executable; 2]).is_ok(), orders.is_ok());
}
