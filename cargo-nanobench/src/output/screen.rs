//! The terminal below the table, with room for `^C`.

use console::Term;
use indicatif::TermLike;
use std::io;

/// The columns that stay free at the end of each line. The cursor stays behind the last line, and the
/// terminal echoes Ctrl-C there. In a line of the full width, `^C` would begin another line, and that
/// one would be erased in its place.
pub(super) const ECHO_ROOM: u16 = 3;

/// The terminal of stderr, reported [`ECHO_ROOM`] columns narrower than it is.
#[derive(Debug)]
pub(crate) struct Screen(Term);

impl Screen {
    /// Returns the screen; `None` if stderr is no terminal.
    pub(crate) fn of_stderr() -> Option<Screen> {
        Some(Term::buffered_stderr()).filter(Term::is_term).map(Screen)
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        TermLike::width(&self.0).saturating_sub(ECHO_ROOM)
    }

    fn height(&self) -> u16 {
        TermLike::height(&self.0)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.0.write_line(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
