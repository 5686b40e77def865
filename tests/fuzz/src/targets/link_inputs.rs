//! The kept inputs of a link.
//!
//! The corpus has those of an empty executable. To build them again:
//!
//!     gcc -O1 -fno-builtin -g0 -fPIE -fno-asynchronous-unwind-tables -ffunction-sections \
//!         -c fixture/benchmark.c -o object.o
//!     objcopy -R .comment -R .note.gnu.property -R .note.GNU-stack object.o
//!     (head -n 1 corpus/link_inputs/benchmark; cat object.o) > inputs && mv inputs corpus/link_inputs/benchmark

use crate::fingerprint::Fingerprint;
use crate::folder;
use crate::relink::{Layouts, kept_file};
use std::path::PathBuf;
use std::sync::LazyLock;

static EXECUTABLE: LazyLock<PathBuf> = LazyLock::new(|| folder::write("executable", b""));

/// An executable has layouts only if the file beside it belongs to it. Nothing is linked: the file
/// names the program that would be started.
pub fn link_inputs(data: &[u8]) {
    let kept = folder::write("executable.link", data);
    let fingerprint = Fingerprint::from_file(&EXECUTABLE).expect("a fingerprint");
    let found = kept_file(&EXECUTABLE, &fingerprint);
    assert!(found.as_ref().is_none_or(|path| *path == kept));
    let layouts = Layouts::of([&EXECUTABLE; 2]);
    assert!(found.is_some() || layouts.is_err());
}
