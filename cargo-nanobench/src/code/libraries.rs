//! Finds crates of the type `dylib`, whose code is not in the executable.

use object::elf::DT_NEEDED;
use object::read::elf::ElfFile64;
use std::path::Path;

/// Returns whether an executable loads a library that was built with it. Supports only ELF
/// executables.
pub(crate) fn loads_own_libraries(executable: &Path) -> bool {
    let Some(folder) = executable.parent() else { return false };
    // Cargo creates a library in this folder, and links it into the parent folder.
    let folders = [folder.to_owned(), folder.join("..")];
    let is_own = |name: &String| folders.iter().any(|folder| folder.join(name).is_file());
    needed_libraries(executable).unwrap_or_default().iter().any(is_own)
}

/// Returns the names of the libraries that an executable loads.
fn needed_libraries(executable: &Path) -> Option<Vec<String>> {
    let bytes = std::fs::read(executable).ok()?;
    let file = ElfFile64::<object::Endianness>::parse(&*bytes).ok()?;
    let table = file.elf_dynamic_table().ok()?;
    let names =
        table.iter().filter(|entry| entry.tag == DT_NEEDED).filter_map(|entry| table.string(entry).ok());
    Some(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    #[test]
    fn own_libraries_are_distinguished_from_system_libraries() {
        let folder = tempfile::tempdir().unwrap();
        let rustc = |file: &str, text: &str, arguments: &[&str]| {
            fs::write(folder.path().join(file), text).unwrap();
            let done = Command::new("rustc").args(arguments).arg(file).current_dir(folder.path()).output();
            let done = done.unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        rustc("plain.rs", "fn main() {}", &[]);
        assert!(!loads_own_libraries(&folder.path().join("plain")), "only the system's");
        rustc("own.rs", "pub fn f() {}", &["--crate-type", "dylib", "-C", "prefer-dynamic"]);
        rustc("loads.rs", "fn main() { own::f() }", &["--edition", "2024", "-L", ".", "--extern", "own"]);
        assert!(loads_own_libraries(&folder.path().join("loads")));
        assert!(!loads_own_libraries(&folder.path().join("loads.rs")), "no executable");
    }
}
