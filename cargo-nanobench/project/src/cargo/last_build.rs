//! The executables of the last build, kept for the next one: it usually finds nothing to do, and they
//! are prepared meanwhile.

use super::executable::Executable;
use super::options::CargoOptions;
use crate::regular_file;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The largest file to read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// The place of the kept executables of a build.
#[derive(Debug)]
pub(super) struct LastBuild {
    file: PathBuf,
    /// The first line of the file: the options of the build. Others select other executables.
    options: String,
}

impl LastBuild {
    /// Returns the place in a folder.
    pub(super) fn in_folder(folder: &Path, options: &CargoOptions) -> LastBuild {
        LastBuild { file: folder.join("executables"), options: format!("{options:?}") }
    }

    /// Returns the executables that are as that build left them.
    pub(super) fn read(&self) -> Vec<Executable> {
        let mut executables = self.read_all().unwrap_or_default();
        executables.retain(Executable::is_unchanged);
        executables
    }

    fn read_all(&self) -> Option<Vec<Executable>> {
        let bytes = regular_file::read(&self.file, MAX_BYTES).ok()?;
        let (options, executables) = str::from_utf8(&bytes).ok()?.split_once('\n')?;
        (options == self.options).then(|| serde_json::from_str(executables).ok()).flatten()
    }

    /// Keeps the executables if the folder exists. Without them, the next run prepares nothing.
    pub(super) fn write(&self, executables: &[Executable]) {
        let Some(folder) = self.file.parent() else { return };
        let write = || {
            let mut file = NamedTempFile::new_in(folder)?;
            let options = format!("{}\n", self.options).into_bytes();
            file.write_all(&[options, serde_json::to_vec(executables)?].concat())?;
            file.persist(&self.file)?;
            Ok::<_, io::Error>(())
        };
        let _ = write();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn unchanged_executables_of_the_same_options_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let place = LastBuild::in_folder(folder.path(), &CargoOptions::default());
        assert_eq!(place.read(), []);
        let executables = ["a", "b"].map(|name| {
            let path = folder.path().join(name);
            fs::write(&path, name).unwrap();
            Executable::fixture(&path)
        });
        place.write(&executables);
        assert_eq!(place.read(), executables);
        let other = CargoOptions { profile: Some("release".to_owned()), ..CargoOptions::default() };
        assert_eq!(LastBuild::in_folder(folder.path(), &other).read(), [], "of other options");
        fs::write(folder.path().join("a"), "longer").unwrap();
        assert_eq!(place.read(), executables[1..], "built again");
    }
}
