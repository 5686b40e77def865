//! The kept inputs of a link.
//!
//! The corpus has those of an empty executable. To build them again:
//!
//!     gcc -O1 -fno-builtin -g0 -fPIE -fno-asynchronous-unwind-tables -ffunction-sections \
//!         -c fixture/benchmark.c -o object.o
//!     objcopy -R .comment -R .note.gnu.property -R .note.GNU-stack object.o
//!     (head -n 1 corpus/link_inputs/benchmark; cat object.o) > inputs && mv inputs corpus/link_inputs/benchmark

use crate::fingerprint::Fingerprint;
use crate::{folder, relink};
use error::LayoutError;
use functions::Functions;
use nanobench::Rng;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

// Again, because the target needs items that only their parent sees.
#[path = "../../../../cargo-nanobench/code/src/relink/constants.rs"]
mod constants;
#[path = "../../../../cargo-nanobench/code/src/relink/error.rs"]
mod error;
#[path = "../../../../cargo-nanobench/code/src/relink/filler.rs"]
mod filler;
#[path = "../../../../cargo-nanobench/code/src/relink/functions.rs"]
mod functions;
#[path = "../../../../cargo-nanobench/code/src/relink/link_command.rs"]
mod link_command;
#[path = "../../../../cargo-nanobench/code/src/relink/link_files.rs"]
mod link_files;
#[path = "../../../../cargo-nanobench/code/src/relink/link_inputs.rs"]
mod kept;
#[path = "../../../../cargo-nanobench/code/src/relink/linked_data.rs"]
mod linked_data;
#[path = "../../../../cargo-nanobench/code/src/relink/linker_map.rs"]
mod linker_map;
#[path = "../../../../cargo-nanobench/code/src/relink/object_references.rs"]
mod object_references;
#[path = "../../../../cargo-nanobench/code/src/relink/options.rs"]
mod options;
#[path = "../../../../cargo-nanobench/code/src/relink/outside_references.rs"]
mod outside_references;

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
    let parsed = kept::parse(Path::new("kept"), data, fingerprint);
    let functions = parsed.as_ref().ok().and_then(|(_, object)| Functions::parse([object, object]).ok());
    if let Some(functions) = &functions {
        let [one, other] = functions.orders(&mut Rng::with_seed(1));
        assert_eq!(one, other);
    }
    // Files take ten times as long as their content.
    if data.len() % 16 > 0 {
        return;
    }
    let path = folder::write("executable.link", data);
    let belongs = !matches!(parsed, Err(LayoutError::Damaged { .. } | LayoutError::LinkedAgain));
    let found = relink::kept_file(executable, fingerprint);
    assert!(found.is_some() || !belongs);
    assert!(found.is_none_or(|found| found == path));
    assert_eq!(relink::Layouts::of([executable; 2]).is_ok(), functions.is_some());
}
