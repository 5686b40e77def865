//! A terminal on which a command can run.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::{self, JoinHandle};

/// A pseudo terminal, seen from the side of the person at the keyboard.
pub(crate) struct Terminal {
    ours: File,
    theirs: PathBuf,
}

impl Terminal {
    pub(crate) fn new(columns: u16) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo terminal");
        grantpt(&ours).expect("the right to use it");
        unlockpt(&ours).expect("its other side");
        let name = ptsname(&ours, Vec::new()).expect("the name of its other side");
        let theirs = PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let size = Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).expect("a size");
        Self { ours: File::from(ours), theirs }
    }

    /// Returns stdin, stdout and stderr for a command.
    pub(crate) fn streams(&self) -> [Stdio; 3] {
        [(); 3].map(|()| {
            let side = File::options().read(true).write(true).open(&self.theirs);
            Stdio::from(side.expect("the terminal's other side opens"))
        })
    }

    /// Reads all output, until no command has the terminal open any longer.
    pub(crate) fn read_to_end(mut self) -> JoinHandle<Vec<u8>> {
        thread::spawn(move || {
            let mut all = Vec::new();
            // Linux ends the stream of a terminal with an error; everything read before it counts.
            let _ = self.ours.read_to_end(&mut all);
            all
        })
    }
}
