//! A compiler's description of itself, kept for the next run. The compiler loads 300 MB of libraries
//! to print it, which takes as long as `cargo metadata`.

use crate::regular_file;
use std::fs::Metadata;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use tempfile::NamedTempFile;

/// The largest file to read, in bytes.
const MAX_BYTES: u64 = 16 * 1024;

/// The place of a kept description, and the compiler that it describes.
#[derive(Debug)]
pub(super) struct KeptDescription {
    file: PathBuf,
    /// The first line of the file. As in cargo's own `.rustc_info.json`, the time of the compiler's
    /// file tells whether it is still the same; here, that of the folder of its libraries, too.
    compiler: String,
}

impl KeptDescription {
    /// Returns the place of a description of a toolchain's compiler in a folder. `None` if files of
    /// the toolchain are missing.
    pub(super) fn new(folder: &Path, program: &Path) -> Option<KeptDescription> {
        let libraries = program.parent()?.parent()?.join("lib");
        let (of_program, of_libraries) = (program.metadata().ok()?, libraries.metadata().ok()?);
        let times = [modified(&of_program)?, modified(&of_libraries)?];
        let compiler = format!("{program:?} {} {times:?}", of_program.len());
        Some(KeptDescription { file: folder.join("compiler"), compiler })
    }

    /// Returns the description if it was kept.
    pub(super) fn read(&self) -> Option<String> {
        let bytes = regular_file::read(&self.file, MAX_BYTES).ok()?;
        let (compiler, description) = str::from_utf8(&bytes).ok()?.split_once('\n')?;
        (compiler == self.compiler).then(|| description.to_owned())
    }

    /// Keeps the description if the folder exists. Without it, the next run asks the compiler again.
    pub(super) fn write(&self, description: &str) {
        let Some(folder) = self.file.parent() else { return };
        let write = || {
            let mut file = NamedTempFile::new_in(folder)?;
            write!(file, "{}\n{description}", self.compiler)?;
            file.persist(&self.file)?;
            Ok::<_, io::Error>(())
        };
        let _ = write();
    }
}

/// Returns when a file was modified, in ns.
fn modified(metadata: &Metadata) -> Option<u128> {
    Some(metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_description_is_that_of_the_same_compiler() {
        let root = tempfile::tempdir().unwrap();
        let (kept, toolchain) = (root.path().join("kept"), root.path().join("stable"));
        for folder in [&kept, &toolchain.join("bin"), &toolchain.join("lib")] {
            fs::create_dir_all(folder).unwrap();
        }
        let program = toolchain.join("bin/rustc");
        let place = |program: &Path| KeptDescription::new(&kept, program);
        assert!(place(&program).is_none(), "not installed");
        fs::write(&program, "1").unwrap();
        assert_eq!(place(&program).unwrap().read(), None);
        place(&program).unwrap().write("rustc 1.2.3\nhost: here\n");
        assert_eq!(place(&program).unwrap().read().as_deref(), Some("rustc 1.2.3\nhost: here\n"));
        let other = toolchain.join("bin/other");
        fs::write(&other, "1").unwrap();
        assert_eq!(place(&other).unwrap().read(), None, "of another compiler");
        fs::write(&program, "12").unwrap();
        assert_eq!(place(&program).unwrap().read(), None, "of an earlier compiler");
        place(&program).unwrap().write("rustc 1.2.4\n");
        assert_eq!(place(&program).unwrap().read().as_deref(), Some("rustc 1.2.4\n"));
    }

    // Windows opens no folders.
    #[cfg(unix)]
    #[test]
    fn a_description_is_that_of_the_same_libraries() {
        let root = tempfile::tempdir().unwrap();
        let toolchain = root.path().join("stable");
        for folder in ["bin", "lib"] {
            fs::create_dir_all(toolchain.join(folder)).unwrap();
        }
        let program = toolchain.join("bin/rustc");
        fs::write(&program, "1").unwrap();
        let place = || KeptDescription::new(root.path(), &program).unwrap();
        place().write("rustc 1.2.3\n");
        assert!(place().read().is_some());
        let libraries = fs::File::open(toolchain.join("lib")).unwrap();
        let time = libraries.metadata().unwrap().modified().unwrap();
        libraries.set_modified(time + std::time::Duration::from_secs(1)).unwrap();
        assert_eq!(place().read(), None);
    }

    #[test]
    fn nothing_is_kept_without_the_folder() {
        let root = tempfile::tempdir().unwrap();
        let kept = KeptDescription { file: root.path().join("none/compiler"), compiler: "rustc".to_owned() };
        kept.write("rustc 1.2.3\n");
        assert_eq!(kept.read(), None);
        assert!(!root.path().join("none").exists());
    }
}
