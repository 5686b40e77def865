//! The line on the terminal that says which benchmark runs. Nothing where stderr is no terminal.

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nanobench::report::escape;

/// A progress line on stderr.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A line for this many benchmarks. It is drawn only when something changes: nothing of it runs while a
    /// benchmark does.
    pub(crate) fn new(benchmarks: usize, quiet: bool) -> Progress {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(benchmarks as u64), target);
        // The template is a constant, so it is well-formed; without it the bar has another look.
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len}  {wide_msg}") {
            bar.set_style(style);
        }
        Progress { bar }
    }

    /// This one runs now.
    pub(crate) fn running(&self, id: &str) {
        self.bar.set_message(escape(id));
        self.bar.tick();
    }

    /// Prints to stdout, above the line. What can't be printed is found out at the end of the run, with the rest.
    pub(crate) fn print(&self, lines: &str) {
        let _ = self.bar.suspend(|| output::print(lines));
    }

    /// One more is done.
    pub(crate) fn one_more(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
