//! Finds the dynamic libraries of the workspace that an executable loads, whose code is not in the
//! executable: crates of the type `dylib`, and libraries of build scripts.

use crate::cargo::libraries_folder;
use object::Endianness;
use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, FileHeader64};
use object::read::ReadCache;
use object::read::elf::FileHeader as _;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Returns whether an executable loads a library that was built with it, or that its baseline keeps
/// beside it. Supports only ELF executables.
pub(super) fn loads_own_libraries(executable: &Path) -> bool {
    let Some(folder) = executable.parent() else { return false };
    if libraries_folder(executable).is_dir() {
        return true;
    }
    // Cargo creates a library in this folder, and links it into the parent folder.
    let folders = [folder.to_owned(), folder.join("..")];
    let is_own = |name: &String| folders.iter().any(|folder| folder.join(name).is_file());
    Dynamic::read(executable).unwrap_or_default().needed.iter().any(is_own)
}

/// Returns whether two executables load libraries of the same names, in the same order, with the
/// same search paths. False if one of them can't be read.
pub fn loads_same_libraries(executables: [&Path; 2]) -> bool {
    let [Some(one), Some(other)] = executables.map(Dynamic::read) else { return false };
    (one.needed, one.rpath, one.runpath) == (other.needed, other.rpath, other.runpath)
}

/// Returns whether an executable, or a library that is built or kept with it, loads a library of one
/// of these file names by itself. Supports only ELF executables.
pub fn loads_any_of(executable: &Path, names: &[&Path]) -> bool {
    let is_one =
        |needed: &String| Path::new(needed).file_name().is_some_and(|name| names.contains(&Path::new(name)));
    let any_is_one = |file: &Path| Dynamic::read(file).unwrap_or_default().needed.iter().any(is_one);
    let Some(folder) = executable.parent() else { return false };
    let folders = [libraries_folder(executable), folder.to_owned(), folder.join("..")];
    let libraries = || loaded_libraries(executable, &folders, |_| true);
    !names.is_empty() && (any_is_one(executable) || libraries().iter().any(|file| any_is_one(file)))
}

/// Returns the libraries within `roots` that an executable loads, and that these load in turn.
/// `folders`: those of the variable for library paths. Supports only ELF executables.
pub fn own_libraries(executable: &Path, folders: &[PathBuf], roots: &[&Path]) -> Vec<PathBuf> {
    let roots = real_paths(roots);
    loaded_libraries(executable, folders, |library| is_within(library, &roots))
}

/// Returns the other libraries that an executable loads, and that these load in turn, apart from those
/// in the folders of the system.
pub fn foreign_libraries(executable: &Path, folders: &[PathBuf], roots: &[&Path]) -> Vec<PathBuf> {
    let roots = real_paths(roots);
    let mut libraries = loaded_libraries(executable, folders, |_| true);
    libraries.retain(|library| !is_within(library, &roots));
    libraries
}

fn real_paths(paths: &[&Path]) -> Vec<PathBuf> {
    paths.iter().filter_map(|path| path.canonicalize().ok()).collect()
}

fn is_within(library: &Path, roots: &[PathBuf]) -> bool {
    library.canonicalize().is_ok_and(|real| roots.iter().any(|root| real.starts_with(root)))
}

/// Returns the libraries that an executable loads, and that these load in turn, if they are wanted
/// and found in `folders` or by the paths in the files.
fn loaded_libraries(
    executable: &Path,
    folders: &[PathBuf],
    is_wanted: impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut unread = vec![executable.to_owned()];
    while let Some(file) = unread.pop() {
        let Dynamic { needed, rpath, runpath } = Dynamic::read(&file).unwrap_or_default();
        // A library may also be needed by its path.
        let candidates = |name: &String| -> Vec<PathBuf> {
            let all = rpath.iter().chain(folders).chain(&runpath);
            all.map(|folder| folder.join(name)).collect()
        };
        for name in &needed {
            let Some(library) = candidates(name).into_iter().find(|path| path.is_file()) else { continue };
            if is_wanted(&library) && !found.contains(&library) {
                unread.push(library.clone());
                found.push(library);
            }
        }
    }
    found
}

/// The dynamic section of a file.
#[derive(Debug, Default)]
struct Dynamic {
    /// The names of the libraries that it loads.
    needed: Vec<String>,
    /// The folders that the loader searches before those of the variable for library paths.
    rpath: Vec<PathBuf>,
    /// The folders that it searches afterwards.
    runpath: Vec<PathBuf>,
}

impl Dynamic {
    fn read(path: &Path) -> Option<Dynamic> {
        // Only the parts that are needed are read. The symbols would be the largest.
        let parts = ReadCache::new(File::open(path).ok()?);
        let header = FileHeader64::<Endianness>::parse(&parts).ok()?;
        let endian = header.endian().ok()?;
        let table = header.sections(endian, &parts).ok()?.dynamic_table(endian, &parts).ok()?;
        let all = |tag| -> Vec<String> {
            let entries = table.iter().filter(move |entry| entry.tag == tag);
            let texts = entries.filter_map(|entry| table.string(entry).ok());
            texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
        };
        let origin = path.parent().unwrap_or(Path::new(".")).display().to_string();
        let folders = |tag| -> Vec<PathBuf> {
            let expanded = |text: &String| text.replace("$ORIGIN", &origin).replace("${ORIGIN}", &origin);
            let lists: Vec<String> = all(tag).iter().map(expanded).collect();
            lists.iter().flat_map(|list| list.split(':').map(PathBuf::from)).collect()
        };
        let runpath = folders(DT_RUNPATH);
        let rpath = if runpath.is_empty() { folders(DT_RPATH) } else { Vec::new() };
        Some(Dynamic { needed: all(DT_NEEDED), rpath, runpath })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    /// Compiles a file in a folder.
    fn rustc(folder: &Path, file: &str, text: &str, arguments: &[&str]) {
        fs::write(folder.join(file), text).expect("a source file");
        let done = Command::new("rustc").args(arguments).arg(file).current_dir(folder).output();
        let done = done.expect("rustc starts");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    #[test]
    fn own_libraries_are_distinguished_from_system_libraries() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        rustc(folder.path(), "plain.rs", "fn main() {}", &[]);
        assert!(!loads_own_libraries(&path("plain")), "only the system's");
        rustc(folder.path(), "own.rs", "pub fn f() {}", &["--crate-type", "dylib", "-C", "prefer-dynamic"]);
        let loads = ["--edition", "2024", "-L", ".", "--extern", "own"];
        rustc(folder.path(), "loads.rs", "fn main() { own::f() }", &loads);
        assert!(loads_own_libraries(&path("loads")));
        assert!(!loads_own_libraries(&path("loads.rs")), "no executable");
        let have_same = |one: &str, other: &str| loads_same_libraries([&path(one), &path(other)]);
        assert!(have_same("plain", "plain") && !have_same("plain", "loads"));
        assert!(!have_same("loads.rs", "loads.rs"), "unknown");

        let folders = [folder.path().to_owned()];
        let found = |name: &str, roots: &[&Path]| own_libraries(&path(name), &folders, roots);
        assert_eq!(found("loads", &[folder.path()]), [path("libown.so")]);
        assert!(found("plain", &[folder.path()]).is_empty());
        assert!(found("loads", &[&path("elsewhere")]).is_empty(), "not in the workspace");
        let foreign = |roots: &[&Path]| {
            let mut found = foreign_libraries(&path("loads"), &folders, roots);
            found.retain(|library| library.starts_with(folder.path()));
            found
        };
        assert_eq!(foreign(&[&path("elsewhere")]), [path("libown.so")]);
        assert!(foreign(&[folder.path()]).is_empty());
        assert!(loads_any_of(&path("loads"), &[Path::new("libown.so")]));
        assert!(!loads_any_of(&path("plain"), &[Path::new("libown.so")]));
    }

    #[test]
    fn libraries_of_libraries_and_those_of_a_path_in_the_executable_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let dynamic = ["--crate-type", "cdylib"];
        rustc(folder.path(), "deep.rs", "#[unsafe(no_mangle)] pub extern \"C\" fn deep() {}", &dynamic);
        let above = "#[link(name = \"deep\")] unsafe extern \"C\" { fn deep(); }\n\
                     #[unsafe(no_mangle)] pub extern \"C\" fn above() { unsafe { deep() } }";
        let linked = ["--edition", "2024", "-L", ".", "-C", "link-arg=-Wl,-rpath,$ORIGIN"];
        rustc(folder.path(), "above.rs", above, &[&dynamic[..], &linked].concat());
        let main = "#[link(name = \"above\")] unsafe extern \"C\" { fn above(); }\n\
                    fn main() { unsafe { above() } }";
        rustc(folder.path(), "main.rs", main, &linked);
        let found = own_libraries(&folder.path().join("main"), &[], &[folder.path()]);
        assert_eq!(found, ["libabove.so", "libdeep.so"].map(|name| folder.path().join(name)));

        let loads = |name: &str| loads_any_of(&folder.path().join("main"), &[Path::new(name)]);
        assert!(loads("libabove.so") && loads("libdeep.so") && !loads("libother.so"));
        // A library without a name of its own is needed by its path.
        let library = format!("link-arg={}", folder.path().join("libabove.so").display());
        let main = "unsafe extern \"C\" { fn above(); }\nfn main() { unsafe { above() } }";
        rustc(folder.path(), "by_path.rs", main, &[&linked[..], &["-C", &library]].concat());
        let by_path = folder.path().join("by_path");
        assert!(Dynamic::read(&by_path).unwrap().needed.iter().any(|name| name.starts_with('/')));
        for name in ["libabove.so", "libdeep.so"] {
            assert!(loads_any_of(&by_path, &[Path::new(name)]), "{name}");
        }
    }
}
