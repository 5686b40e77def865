//! The only place that prints warnings, so that suppressing them works everywhere.

use crate::output;
use crate::style::WARNING;
use nanobench::report::counted;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The environment variable that suppresses warnings, as `--no-warnings` does.
const VARIABLE: &str = "NANOBENCH_SUPPRESS_WARNINGS";

/// The lines of the screen that warnings may take, unless all are requested.
const MAX_LINES: usize = 3;

static SUPPRESSED: AtomicBool = AtomicBool::new(false);

static PRINTED: Mutex<Printed> = Mutex::new(Printed { shows_all: false, lines: 0, withheld: 0 });

/// The warnings of this command so far.
#[derive(Debug)]
struct Printed {
    /// They are printed however many there are.
    shows_all: bool,
    /// The lines that were printed.
    lines: usize,
    /// The number of warnings that there was no room for.
    withheld: usize,
}

/// The subjects of the warnings so far. Each has one.
static SUBJECTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Suppresses warnings if the environment says so.
pub(crate) fn read_environment() {
    suppress_if(std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty() && value != "0"));
}

/// Suppresses all further warnings if `condition` is true.
pub(crate) fn suppress_if(condition: bool) {
    SUPPRESSED.fetch_or(condition, Ordering::Relaxed);
}

/// Prints all further warnings if `condition` is true, however many there are.
pub(crate) fn show_all_if(condition: bool) {
    printed().shows_all |= condition;
}

/// Prints a warning to stderr, unless warnings are suppressed or it was printed before: runs that
/// are compared with several baselines may have the same. Beyond the first few lines, warnings are
/// only counted.
pub(crate) fn warn(message: impl Display) {
    let message = message.to_string();
    warn_once(message.clone(), message);
}

/// Prints a warning, unless there was one about the same subject: each of the many processes of a
/// paired run may have the same to report.
pub(crate) fn warn_once(subject: String, message: impl Display) {
    let is_known = || !SUBJECTS.lock().unwrap_or_else(PoisonError::into_inner).insert(subject);
    if SUPPRESSED.load(Ordering::Relaxed) || is_known() {
        return;
    }
    let text = output::message(WARNING, "warning", &message.to_string());
    if printed().takes(text.lines().count()) {
        output::print_message(&text);
    }
}

/// Prints the number of warnings that were only counted.
pub(crate) fn conclude() {
    let withheld = std::mem::take(&mut printed().withheld);
    if withheld > 0 {
        let more = format!("{} more, which -v shows", counted(withheld, "warning"));
        output::print_message(&output::message(WARNING, "warning", &more));
    }
}

fn printed() -> MutexGuard<'static, Printed> {
    PRINTED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Printed {
    /// Returns whether a warning of this many lines is printed. The first one always is.
    fn takes(&mut self, lines: usize) -> bool {
        let has_room = self.lines == 0 || self.lines + lines <= MAX_LINES;
        // A later one that is shorter would look more important.
        let takes = self.shows_all || (has_room && self.withheld == 0);
        match takes {
            true => self.lines += lines,
            false => self.withheld += 1,
        }
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_have_a_few_lines_and_the_rest_is_counted() {
        let mut printed = Printed { shows_all: false, lines: 0, withheld: 0 };
        assert_eq!([1, 2, 1].map(|lines| printed.takes(lines)), [true, true, false]);
        assert_eq!((printed.lines, printed.withheld), (3, 1));
        let mut printed = Printed { shows_all: false, lines: 0, withheld: 0 };
        assert_eq!([5, 1].map(|lines| printed.takes(lines)), [true, false], "the first one always is");
        let mut printed = Printed { shows_all: false, lines: 0, withheld: 0 };
        assert_eq!([2, 2, 1].map(|lines| printed.takes(lines)), [true, false, false], "in order");
        let mut printed = Printed { shows_all: true, lines: 0, withheld: 0 };
        assert_eq!([5, 5].map(|lines| printed.takes(lines)), [true, true]);
    }
}
