//! The files whose code a process has in its memory.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// The mark of a file that was replaced or deleted since.
const DELETED: &str = " (deleted)";

/// Returns the files whose code a process has in its memory: its executable and its libraries. Empty
/// if the system doesn't report them.
pub(super) fn loaded_files(process: u32) -> BTreeSet<PathBuf> {
    if !cfg!(target_os = "linux") {
        return BTreeSet::new();
    }
    let maps = std::fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
    String::from_utf8_lossy(&maps).lines().filter_map(file_with_code).collect()
}

/// Returns the file of a line if its bytes may be executed: `7f00-7f10 r-xp 00001000 fe:00 4711
/// /usr/lib/libz.so.1`.
fn file_with_code(line: &str) -> Option<PathBuf> {
    let permissions = line.split(' ').nth(1)?;
    let path = &line[line.find('/')?..];
    permissions.contains('x').then(|| PathBuf::from(path.strip_suffix(DELETED).unwrap_or(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_with_code_count() {
        let file = |line: &str| file_with_code(line).map(|path| path.display().to_string());
        let library = "7f00-7f10 r-xp 00001000 fe:00 4711                       /usr/lib/a b.so";
        assert_eq!(file(library).as_deref(), Some("/usr/lib/a b.so"));
        assert_eq!(file(&format!("{library} (deleted)")).as_deref(), Some("/usr/lib/a b.so"));
        assert_eq!(file(&library.replace("r-xp", "r--p")), None);
        assert_eq!(file("7f00-7f10 r-xp 00000000 00:00 0    [vdso]"), None);
        assert_eq!(file("7f00-7f10 r-xp 00000000 00:00 0"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_its_own_executable() {
        let own = std::env::current_exe().unwrap().canonicalize().unwrap();
        assert!(loaded_files(std::process::id()).contains(&own));
    }
}
