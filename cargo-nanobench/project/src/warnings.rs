//! The only place that prints warnings, so that suppressing them works everywhere.

use crate::output;
use crate::style::WARNING;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The environment variable that suppresses warnings, as `--no-warnings` does.
const VARIABLE: &str = "NANOBENCH_SUPPRESS_WARNINGS";

/// The lines of the screen that warnings may take, unless all are requested.
const MAX_LINES: usize = 3;

static SUPPRESSED: AtomicBool = AtomicBool::new(false);

static PRINTED: Mutex<Printed> = Mutex::new(Printed::NOTHING);

/// The warnings of this command so far.
#[derive(Debug)]
struct Printed {
    /// They are printed however many there are.
    shows_all: bool,
    /// The lines that were printed.
    lines: usize,
    /// The warnings that there was no room for.
    withheld: Vec<String>,
}

/// The subjects of the warnings so far. Each has one.
static SUBJECTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Suppresses warnings if the environment says so.
pub fn read_environment() {
    suppress_if(std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty() && value != "0"));
}

/// Suppresses all further warnings if `condition` is true.
pub fn suppress_if(condition: bool) {
    SUPPRESSED.fetch_or(condition, Ordering::Relaxed);
}

/// Prints all further warnings if `condition` is true, however many there are.
pub fn show_all_if(condition: bool) {
    printed().shows_all |= condition;
}

/// Prints a warning to stderr, unless warnings are suppressed or it was printed before: runs that
/// are compared with several baselines may have the same. Beyond the first few lines, warnings are
/// only counted.
pub fn warn(message: impl Display) {
    let message = message.to_string();
    warn_once(message.clone(), message);
}

/// Prints a warning, unless there was one about the same subject: each of the many processes of a
/// paired run may have the same to report.
pub fn warn_once(subject: String, message: impl Display) {
    let is_known = || !SUBJECTS.lock().unwrap_or_else(PoisonError::into_inner).insert(subject);
    if SUPPRESSED.load(Ordering::Relaxed) || is_known() {
        return;
    }
    let text = output::message(WARNING, "warning", &message.to_string());
    if let Some(text) = printed().take(text) {
        output::print_message(&text);
    }
}

/// Prints the number of warnings that were only counted, or the only one.
pub fn conclude() {
    let withheld = std::mem::take(&mut printed().withheld);
    conclusion(withheld).iter().for_each(|text| output::print_message(text));
}

fn conclusion(mut withheld: Vec<String>) -> Option<String> {
    match withheld.len() {
        // A line that only counts it would be no better.
        0 | 1 => withheld.pop(),
        number => {
            Some(output::message(WARNING, "warning", &format!("{number} more warnings: -v shows them")))
        }
    }
}

fn printed() -> MutexGuard<'static, Printed> {
    PRINTED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Printed {
    const NOTHING: Printed = Printed { shows_all: false, lines: 0, withheld: Vec::new() };

    /// Returns the text of a warning if it is printed, and keeps it otherwise. The first one always
    /// is.
    fn take(&mut self, text: String) -> Option<String> {
        let lines = text.lines().count();
        let has_room = self.lines == 0 || self.lines + lines <= MAX_LINES;
        // A later one that is shorter would look more important.
        if self.shows_all || (has_room && self.withheld.is_empty()) {
            self.lines += lines;
            return Some(text);
        }
        self.withheld.push(text);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether warnings of this many lines are printed, one after the other.
    fn take<const N: usize>(printed: &mut Printed, lines: [usize; N]) -> [bool; N] {
        lines.map(|lines| printed.take("line\n".repeat(lines)).is_some())
    }

    #[test]
    fn warnings_have_a_few_lines_and_the_rest_is_kept() {
        let [mut printed, mut long, mut ordered] = [const { Printed::NOTHING }; 3];
        assert_eq!(take(&mut printed, [1, 2, 1]), [true, true, false]);
        assert_eq!((printed.lines, printed.withheld), (3, vec!["line\n".to_owned()]));
        assert_eq!(take(&mut long, [5, 1]), [true, false], "the first one always is");
        assert_eq!(take(&mut ordered, [2, 2, 1]), [true, false, false], "in order");
        let mut all = Printed { shows_all: true, ..Printed::NOTHING };
        assert_eq!(take(&mut all, [5, 5]), [true, true]);
    }

    #[test]
    fn a_single_warning_is_never_only_counted() {
        let withheld = ["first\nof two lines", "second"].map(str::to_owned);
        assert_eq!(conclusion(withheld[..1].to_vec()), Some(withheld[0].clone()));
        assert!(conclusion(withheld.to_vec()).is_some_and(|text| text.contains("2 more warnings")));
        assert_eq!(conclusion(Vec::new()), None);
    }
}
