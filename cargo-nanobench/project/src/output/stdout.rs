//! The other end of stdout.

use std::fs::{File, FileType};
use std::io::{self, IsTerminal as _, Stdout};

/// Returns whether lines that are drawn over on stderr would mix with those on stdout. A pipe may
/// end in the same terminal, by way of `cat` or `less`.
pub fn stdout_may_share_the_screen() -> bool {
    let stdout = io::stdout();
    !stdout.is_terminal() && file_type(&stdout).is_none_or(is_pipe)
}

/// Returns whether stdout can show characters beyond ASCII, by the locale.
pub fn takes_unicode() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !is_dumb && supports_unicode::on(supports_unicode::Stream::Stdout)
}

#[cfg(unix)]
fn file_type(stdout: &Stdout) -> Option<FileType> {
    use std::os::fd::AsFd as _;
    Some(File::from(stdout.as_fd().try_clone_to_owned().ok()?).metadata().ok()?.file_type())
}

#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo() || kind.is_socket()
}

#[cfg(windows)]
fn file_type(stdout: &Stdout) -> Option<FileType> {
    use std::os::windows::io::AsHandle as _;
    Some(File::from(stdout.as_handle().try_clone_to_owned().ok()?).metadata().ok()?.file_type())
}

#[cfg(windows)]
fn is_pipe(kind: FileType) -> bool {
    !kind.is_file()
}
