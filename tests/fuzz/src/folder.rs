//! The folder of a process, for inputs that the tool reads from files, in `FUZZ_FOLDER`.

use std::path::PathBuf;
use std::sync::LazyLock;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let parent = std::env::var_os("FUZZ_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = parent.join(format!("nanobench-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the inputs");
    folder
});

/// Returns the path of a file in the folder.
pub(crate) fn path(name: &str) -> PathBuf {
    FOLDER.join(name)
}

/// Writes the file `name`, whose parents are created. Returns its path.
pub(crate) fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path(name);
    if std::fs::write(&path, bytes).is_err() {
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(&path, bytes).expect("a file");
    }
    path
}
