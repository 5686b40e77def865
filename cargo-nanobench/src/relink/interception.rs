//! Makes the C compiler call this program in place of its last step.
//!
//! GCC looks for `collect2`, which calls the linker, in the folders of `COMPILER_PATH` before its
//! own. Unlike `PATH` and the linker of cargo's configuration, no build script and no fingerprint of
//! cargo depends on that variable. Other compilers ignore it, or find no `collect2`, and link as
//! ever.

use crate::scratch::ScratchFolder;
use std::env;
use std::ffi::OsString;
use std::io;

/// The folders in which GCC looks for the programs that it calls.
pub(super) const VARIABLE: &str = "COMPILER_PATH";
/// The program of GCC that calls the linker.
pub(super) const PROGRAM: &str = "collect2";
/// The file with [`SCRIPT_TEXT`] in the folder.
pub(super) const SCRIPT: &str = "partial.ld";
/// Leaves out everything that an executable doesn't load. It would be four fifths of the file.
/// `.debug_gdb_scripts` stays: with debug information, rustc's `main` reads it.
const SCRIPT_TEXT: &str = "SECTIONS { /DISCARD/ : { *(.debug_[!g]* .zdebug_* .llvmbc .llvmcmd) } }\n";

/// A folder with this program under the name of GCC's. Links are intercepted until it is dropped.
#[derive(Debug)]
pub(crate) struct Interception {
    folder: ScratchFolder,
}

impl Interception {
    /// Prepares to intercept links. `None` on systems without layouts, or if the folder can't be
    /// made: builds don't depend on it.
    pub(crate) fn start() -> Option<Interception> {
        Interception::create().ok().flatten()
    }

    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn create() -> io::Result<Option<Interception>> {
        let folder = ScratchFolder::create_in(&env::temp_dir())?;
        std::os::unix::fs::symlink(env::current_exe()?, folder.path().join(PROGRAM))?;
        std::fs::write(folder.path().join(SCRIPT), SCRIPT_TEXT)?;
        Ok(Some(Interception { folder }))
    }

    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    fn create() -> io::Result<Option<Interception>> {
        Ok(None)
    }

    /// Returns the variable to set for cargo, and its value.
    pub(crate) fn variable(&self) -> Option<(&'static str, OsString)> {
        let inherited = env::var_os(VARIABLE).unwrap_or_default();
        let inherited = env::split_paths(&inherited).filter(|folder| !folder.as_os_str().is_empty());
        let folders = std::iter::once(self.folder.path().to_owned()).chain(inherited);
        Some((VARIABLE, env::join_paths(folders).ok()?))
    }

    /// Returns the folder that GCC finds this program in.
    #[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
    pub(super) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }
}
