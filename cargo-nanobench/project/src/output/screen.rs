//! The part of the terminal that changes, below the table, with room for `^C`.

use console::{Term, measure_text_width};
use indicatif::TermLike;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The columns that stay free at the end of each line. The cursor stays behind the last line, and the
/// terminal echoes Ctrl-C there. In a line of the full width, `^C` would begin another line, and that
/// one would be erased in its place.
pub(super) const ECHO_ROOM: u16 = 3;

/// A terminal, reported `ECHO_ROOM` columns narrower than it is.
///
/// indicatif fills each line with spaces and expects the terminal to begin another one then. Here,
/// the screen does.
#[derive(Debug)]
pub struct Screen<T> {
    terminal: T,
    /// The width of what was written to the current line.
    column: AtomicUsize,
}

impl Screen<Term> {
    /// Returns the screen of stderr; `None` if that is no terminal.
    pub fn of_stderr() -> Option<Screen<Term>> {
        Some(Term::buffered_stderr()).filter(Term::is_term).map(Screen::new)
    }
}

impl<T: TermLike> Screen<T> {
    fn new(terminal: T) -> Screen<T> {
        Screen { terminal, column: AtomicUsize::new(0) }
    }

    /// Notes the width of what was written to the current line.
    fn set_column(&self, column: usize) {
        self.column.store(column, Ordering::Relaxed);
    }
}

impl<T: TermLike> TermLike for Screen<T> {
    fn width(&self) -> u16 {
        self.terminal.width().saturating_sub(ECHO_ROOM)
    }

    fn height(&self) -> u16 {
        self.terminal.height()
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.terminal.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.terminal.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.terminal.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.terminal.move_cursor_left(n)
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.set_column(0);
        self.terminal.write_line(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if text == "\r" {
            self.set_column(0);
            return self.terminal.write_str(text);
        }
        let (width, column) = (measure_text_width(text), self.column.load(Ordering::Relaxed));
        let is_full = width > 0 && column >= usize::from(self.width());
        if is_full {
            self.terminal.write_line("")?;
        }
        self.set_column(if is_full { width } else { column + width });
        self.terminal.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.set_column(0);
        self.terminal.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.terminal.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
    use std::fmt;
    use std::sync::{Arc, Mutex};

    const WIDTH: u16 = 20;
    const HEIGHT: u16 = 9;

    /// A terminal in memory. indicatif has one, too, but behind a feature: with that, cargo would build the
    /// subcommand for tests and for the alias `cargo nanobench` in turn.
    #[derive(Clone)]
    struct MemoryTerminal(Arc<Mutex<vt100::Parser>>);

    impl MemoryTerminal {
        fn new() -> MemoryTerminal {
            MemoryTerminal(Arc::new(Mutex::new(vt100::Parser::new(HEIGHT, WIDTH, 0))))
        }

        fn contents(&self) -> String {
            let parser = self.0.lock().unwrap();
            let rows: Vec<String> =
                parser.screen().rows(0, WIDTH).map(|row| row.trim_end().to_owned()).collect();
            rows.join("\n").trim_end().to_owned()
        }

        fn write(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().process(text.as_bytes());
            Ok(())
        }

        /// Moves the cursor by `n` in the direction of this letter.
        fn move_cursor(&self, n: usize, direction: char) -> io::Result<()> {
            // A terminal takes 0 for 1.
            if n == 0 { Ok(()) } else { self.write(&format!("\x1b[{n}{direction}")) }
        }
    }

    impl fmt::Debug for MemoryTerminal {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.contents())
        }
    }

    impl TermLike for MemoryTerminal {
        fn width(&self) -> u16 {
            WIDTH
        }

        fn height(&self) -> u16 {
            HEIGHT
        }

        fn move_cursor_up(&self, n: usize) -> io::Result<()> {
            self.move_cursor(n, 'A')
        }

        fn move_cursor_down(&self, n: usize) -> io::Result<()> {
            self.move_cursor(n, 'B')
        }

        fn move_cursor_right(&self, n: usize) -> io::Result<()> {
            self.move_cursor(n, 'C')
        }

        fn move_cursor_left(&self, n: usize) -> io::Result<()> {
            self.move_cursor(n, 'D')
        }

        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write(&format!("{line}\r\n"))
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.write(text)
        }

        fn clear_line(&self) -> io::Result<()> {
            self.write("\r\x1b[2K")
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns a progress with a prefix above it on a terminal of twenty columns.
    fn progress(terminal: &MemoryTerminal) -> ProgressBar {
        let target = ProgressDrawTarget::term_like(Box::new(Screen::new(terminal.clone())));
        let style = ProgressStyle::with_template("{prefix}\n{wide_msg}").unwrap();
        ProgressBar::with_draw_target(None, target).with_style(style)
    }

    #[test]
    fn each_row_above_the_progress_is_in_a_line_of_its_own() {
        let terminal = MemoryTerminal::new();
        let bar = progress(&terminal);
        bar.set_message("about 5 s");
        for rows in ["one\ntwo\n\x1b[1mthree\x1b[0m", "one", "one\ntwo\na row of 17 chars"] {
            bar.set_prefix(rows.to_owned());
            bar.tick();
            let plain = rows.replace("\x1b[1m", "").replace("\x1b[0m", "");
            assert_eq!(terminal.contents(), format!("{plain}\nabout 5 s"));
        }
        bar.suspend(|| terminal.write_line("zero")).unwrap();
        assert_eq!(terminal.contents(), "zero\none\ntwo\na row of 17 chars\nabout 5 s");
        bar.finish_and_clear();
        assert_eq!(terminal.contents(), "zero");
    }

    #[test]
    fn the_echo_of_ctrl_c_has_room_in_the_last_line() {
        let terminal = MemoryTerminal::new();
        let bar = progress(&terminal);
        bar.set_prefix("one");
        bar.set_message("a message that is longer than a line");
        bar.tick();
        terminal.write_str("^C").unwrap();
        let lines = terminal.contents();
        assert!(lines.starts_with("one\na message that") && lines.ends_with("^C"), "{lines}");
        assert_eq!(lines.lines().count(), 2, "{lines}");
    }
}
