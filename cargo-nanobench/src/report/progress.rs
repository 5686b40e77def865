//! The progress line, which names the running benchmark. There is none if stderr is not a terminal.

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nanobench::report::escape;

/// A progress line on stderr.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Creates a line for this many benchmarks. Nothing redraws it while a benchmark runs.
    pub(crate) fn new(benchmarks: usize, quiet: bool) -> Progress {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(benchmarks as u64), target);
        // The template is a constant, so this never fails.
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len}  {wide_msg}") {
            bar.set_style(style);
        }
        Progress { bar }
    }

    /// Shows the id of the running benchmark.
    pub(crate) fn running(&self, id: &str) {
        self.bar.set_message(escape(id));
        self.bar.tick();
    }

    /// Prints to stdout, above the line. The end of the run reports an stdout that can't be
    /// written.
    pub(crate) fn print(&self, lines: &str) {
        let _ = self.bar.suspend(|| output::print(lines));
    }

    /// Counts one more benchmark as done.
    pub(crate) fn one_more(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
