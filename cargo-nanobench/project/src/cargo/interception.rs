//! Makes the C compiler call this program in place of its last step.
//!
//! GCC reads a file named `specs` in the folders of `LPATH`, which may replace the program that it
//! calls to link. It is an old name of `LIBRARY_PATH`, and nothing but GCC reads it: neither other
//! compilers nor build scripts, which ask cargo to run them again after a change of `LIBRARY_PATH`,
//! `COMPILER_PATH` or `PATH`.

use crate::scratch::ScratchFolder;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{env, fs, io};

/// This system has layouts.
const IS_SUPPORTED: bool =
    cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));

/// The folders in which GCC looks for libraries and its specs.
pub const VARIABLE: &str = "LPATH";
/// The file with [`specs`].
pub const SPECS: &str = "specs";
/// The program of GCC that calls the linker.
pub const PROGRAM: &str = "collect2";
/// The file with `SCRIPT_TEXT` in the folder.
pub const SCRIPT: &str = "partial.ld";
/// The delay until the C compiler is asked if it reads other specs, which takes it about 3 ms. Most
/// builds have nothing to do and end before, and others take much longer until their first link.
const SPECS_DELAY: Duration = Duration::from_millis(30);
/// Leaves out everything that an executable doesn't load. It would be four fifths of the file.
/// `.debug_gdb_scripts` stays: with debug information, rustc's `main` reads it.
const SCRIPT_TEXT: &str = "SECTIONS { /DISCARD/ : { *(.debug_[!g]* .zdebug_* .llvmbc .llvmcmd) } }\n";

/// A folder with this program under the name of GCC's. Links are intercepted until it is dropped.
#[derive(Debug)]
pub struct Interception {
    folder: ScratchFolder,
    /// Writes the specs, after a delay that ends early without its sender.
    specs: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Interception {
    /// Prepares to intercept links. `None` on systems without layouts, or if the folder can't be
    /// made: builds don't depend on it.
    pub fn start() -> Option<Interception> {
        Interception::create().ok().flatten()
    }

    fn create() -> io::Result<Option<Interception>> {
        if !IS_SUPPORTED {
            return Ok(None);
        }
        let folder = ScratchFolder::create_in(&env::temp_dir())?;
        let Some(specs) = specs(folder.path()) else { return Ok(None) };
        #[cfg(unix)]
        std::os::unix::fs::symlink(env::current_exe()?, folder.path().join(PROGRAM))?;
        fs::write(folder.path().join(SCRIPT), SCRIPT_TEXT)?;
        let file = folder.path().join(SPECS);
        let (sender, ended) = mpsc::channel();
        let write = move || {
            if ended.recv_timeout(SPECS_DELAY) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
            // Without it, GCC links as usual.
            let _ = if has_specs() { Ok(()) } else { fs::write(file, specs) };
        };
        Ok(Some(Interception { folder, specs: Some((sender, thread::spawn(write))) }))
    }

    /// Returns the variable to set for cargo, and its value.
    pub fn variable(&self) -> Option<(&'static str, OsString)> {
        let inherited = env::var_os(VARIABLE).unwrap_or_default();
        let inherited = env::split_paths(&inherited).filter(|folder| !folder.as_os_str().is_empty());
        let folders = std::iter::once(self.folder.path().to_owned()).chain(inherited);
        Some((VARIABLE, env::join_paths(folders).ok()?))
    }

    /// Returns the folder that GCC finds this program in, once it is complete.
    pub fn folder(&mut self) -> &Path {
        self.finish();
        self.folder.path()
    }

    /// Waits until the specs are written.
    fn finish(&mut self) {
        // A panic was printed already.
        let _ = self.specs.take().map(|(_sender, thread)| thread.join());
    }
}

impl Drop for Interception {
    /// The folder can be deleted once nobody writes to it.
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.specs.take() {
            drop(sender);
            // A panic was printed already.
            let _ = thread.join();
        }
    }
}

/// Returns specs by which GCC calls the program of this folder to link. `None` for a path that they
/// can't contain.
pub fn specs(folder: &Path) -> Option<String> {
    let program = folder.join(PROGRAM);
    let mut escaped = String::new();
    for c in program.to_str()?.chars() {
        // The first begins a comment, even escaped.
        if "#\n".contains(c) {
            return None;
        }
        if c.is_ascii() && !c.is_ascii_alphanumeric() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    Some(format!("*linker:\n{escaped}\n\n"))
}

/// Returns whether the C compiler already reads a file of specs, which another one would hide.
fn has_specs() -> bool {
    let output = Command::new("cc").arg(format!("-print-file-name={SPECS}")).output();
    // A compiler repeats the name of a file that it doesn't find.
    output.map_or(true, |output| output.stdout.trim_ascii() != SPECS.as_bytes())
}

#[cfg(test)]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;

    #[test]
    fn the_specs_are_written_unless_the_compiler_reads_others() {
        let mut interception = Interception::start().unwrap();
        assert_eq!(interception.folder().join(SPECS).is_file(), !has_specs());
    }

    #[test]
    fn specs_name_any_path_without_a_comment() {
        let of = |folder: &str| specs(Path::new(folder));
        assert_eq!(of("/tmp/ab_1").as_deref(), Some("*linker:\n\\/tmp\\/ab\\_1\\/collect2\n\n"));
        assert_eq!([of("/tmp/a#b"), of("/tmp/a\nb")], [None, None]);
    }
}
