//! What goes to stdout.

use std::io::{self, Write as _};

/// Prints `text`, with its styles where they are wanted. Someone who has read enough (`| head`) is no error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// The columns of the terminal that stdout is. None where it is none.
pub(crate) fn width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}
