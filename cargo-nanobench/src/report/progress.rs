//! The progress of a run: its share and the time left, the running benchmark, and the rows that are
//! final before the rows above them. There is none if stderr is not a terminal.

use super::verdict_text::rounded_up;
use crate::experiment::Remaining;
use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nanobench::report::escape;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// The characters of the bar.
const BAR_WIDTH: u64 = 12;

/// The largest number of times that it is drawn in a second.
const DRAWS_PER_SECOND: u8 = 20;

/// A step that takes longer than this is redrawn as often, so that the time goes on. Steps of short samples
/// never are, which that would disturb.
const REDRAWN_STEP: Duration = Duration::from_secs(1);

/// The progress on stderr, below everything that is printed.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    steps: Arc<Mutex<Steps>>,
    /// The benchmarks whose rows are not final.
    benchmarks_left: usize,
}

impl Progress {
    /// Starts the progress of a run of this many benchmarks.
    pub(crate) fn new(benchmarks: usize, is_hidden: bool) -> Progress {
        // Such a terminal can't clear a line.
        let is_hidden = is_hidden || console::is_dumb();
        let target = match output::Screen::of_stderr().filter(|_| !is_hidden) {
            Some(screen) => ProgressDrawTarget::term_like_with_hz(Box::new(screen), DRAWS_PER_SECOND),
            None => ProgressDrawTarget::hidden(),
        };
        let progress = Progress {
            bar: ProgressBar::with_draw_target(None, target),
            steps: Arc::new(Mutex::new(Steps {
                share: Share::default(),
                begin: Instant::now(),
                running: None,
            })),
            benchmarks_left: benchmarks,
        };
        if !progress.bar.is_hidden() {
            redraw_long_steps(progress.bar.clone(), Arc::downgrade(&progress.steps));
        }
        progress.use_template("{wide_msg}");
        output::set_progress(Some(progress.bar.clone()));
        progress
    }

    fn use_template(&self, template: &str) {
        // Templates are constants, so this never fails.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }

    /// Shows the id of the running benchmark, and the rest of the run.
    pub(crate) fn running(&mut self, id: &str, remaining: Remaining) {
        let step = Step {
            id: id.to_owned(),
            benchmarks_left: self.benchmarks_left,
            remaining,
            begin: Instant::now(),
        };
        let mut steps = lock(&self.steps);
        steps.running = Some(step);
        steps.draw(&self.bar);
    }

    /// Lets the share decrease once, because it is announced that the run takes longer.
    pub(crate) fn take_longer(&self) {
        lock(&self.steps).share = Share::default();
    }

    /// Notes the number of benchmarks whose rows are not final.
    pub(crate) fn set_benchmarks_left(&mut self, number: usize) {
        self.benchmarks_left = number;
    }

    /// Returns the number of lines that [`Progress::show`] shows at most.
    pub(crate) fn max_lines(&self) -> usize {
        if self.bar.is_hidden() { 0 } else { output::max_lines() }
    }

    /// Shows these lines above the progress, instead of those before.
    pub(crate) fn show(&self, lines: &str) {
        let lines = output::for_screen(lines);
        self.use_template(if lines.is_empty() { "{wide_msg}" } else { "{prefix}\n{wide_msg}" });
        self.bar.set_prefix(lines);
    }

    /// Prints to stdout, above the progress. The end of the run reports an stdout that can't be
    /// written.
    pub(crate) fn print(&self, lines: &str) {
        let _ = self.bar.suspend(|| output::print_rows(lines));
    }

    /// Prints a document to stdout as it is, above the progress.
    pub(crate) fn print_document(&self, document: &str) -> io::Result<()> {
        self.bar.suspend(|| output::print_document(document))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        output::set_progress(None);
        lock(&self.steps).running = None;
        self.bar.finish_and_clear();
    }
}

/// The steps of a run, and the one that is running.
#[derive(Debug)]
struct Steps {
    share: Share,
    begin: Instant,
    running: Option<Step>,
}

#[derive(Debug)]
struct Step {
    id: String,
    benchmarks_left: usize,
    /// The rest of the run at its begin.
    remaining: Remaining,
    begin: Instant,
}

impl Steps {
    fn draw(&mut self, bar: &ProgressBar) {
        let Some(Step { id, benchmarks_left, remaining, begin }) = &self.running else { return };
        let remaining = Remaining { time: remaining.time.saturating_sub(begin.elapsed()), ..*remaining };
        let percent = self.share.percent(self.begin.elapsed(), remaining.time);
        bar.set_message(line(percent, *benchmarks_left, remaining, id));
        bar.tick();
    }
}

fn lock(steps: &Mutex<Steps>) -> MutexGuard<'_, Steps> {
    steps.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Redraws the progress while a step takes long, until the run ends.
fn redraw_long_steps(bar: ProgressBar, steps: Weak<Mutex<Steps>>) {
    thread::spawn(move || {
        loop {
            thread::sleep(REDRAWN_STEP);
            let Some(steps) = steps.upgrade() else { return };
            let mut steps = lock(&steps);
            if steps.running.as_ref().is_some_and(|step| step.begin.elapsed() >= REDRAWN_STEP) {
                steps.draw(&bar);
            }
        }
    });
}

/// The share of a run that is done, by the estimated time of all of it. It doesn't decrease by itself: if
/// the run turns out to be longer than expected, it waits.
#[derive(Debug, Default)]
struct Share(f64);

impl Share {
    /// Returns the share after this time in percent, rounded down.
    fn percent(&mut self, elapsed: Duration, left: Duration) -> u64 {
        let all = elapsed.saturating_add(left).as_secs_f64().max(f64::MIN_POSITIVE);
        self.0 = self.0.max(elapsed.as_secs_f64() / all);
        // 100 is for runs that have ended, and those have no progress.
        ((self.0 * 100.0) as u64).min(99)
    }
}

/// Returns the line: `[====        ]  33 %  8 left (2 seem changed), about 5 s  my-crate::first::parse`.
fn line(percent: u64, benchmarks_left: usize, remaining: Remaining, id: &str) -> String {
    let full = (percent * BAR_WIDTH / 100) as usize;
    let bar = format!("{:<width$}", "=".repeat(full), width = BAR_WIDTH as usize);
    let suspected = match remaining.suspected {
        0 => String::new(),
        1 => " (1 seems changed)".to_owned(),
        number => format!(" ({number} seem changed)"),
    };
    let time = rounded_up(remaining.time);
    format!("[{bar}] {percent:>3} %  {benchmarks_left} left{suspected}, about {time}  {}", escape(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_share_follows_the_estimate_but_never_decreases() {
        let mut share = Share::default();
        let mut after = |elapsed, left| share.percent(s(elapsed), s(left));
        assert_eq!([after(0, 10), after(1, 9), after(5, 5)], [0, 10, 50]);
        assert_eq!([after(6, 6), after(6, 14), after(9, 3)], [50, 50, 75], "longer than expected");
        assert_eq!(after(10, 0), 99, "not the end yet");
        assert_eq!(Share::default().percent(s(0), s(0)), 0);
        assert_eq!(Share::default().percent(s(1), Duration::MAX), 0);
    }

    #[test]
    fn the_time_left_goes_on_during_a_step() {
        let bar = ProgressBar::hidden();
        let begin = Instant::now().checked_sub(s(30)).expect("the machine is up for longer");
        let step = Step {
            id: "long".to_owned(),
            benchmarks_left: 1,
            remaining: Remaining { time: s(90), suspected: 0 },
            begin,
        };
        Steps { share: Share::default(), begin, running: Some(step) }.draw(&bar);
        assert_eq!(bar.message(), "[===         ]  33 %  1 left, about 60 s  long");
    }

    #[test]
    fn the_line_has_the_bar_and_the_name_last() {
        let line = |percent, number, time, suspected| {
            line(percent, number, Remaining { time: s(time), suspected }, "a\u{1b}")
        };
        assert_eq!(line(0, 12, 30, 0), "[            ]   0 %  12 left, about 30 s  a\\u{1b}");
        assert_eq!(
            line(50, 5, 200, 3),
            "[======      ]  50 %  5 left (3 seem changed), about 4 min  a\\u{1b}"
        );
        assert_eq!(line(99, 1, 0, 1), "[=========== ]  99 %  1 left (1 seems changed), about 0 s  a\\u{1b}");
    }

    #[test]
    fn times_are_rounded_up() {
        let text = [Duration::ZERO, Duration::from_millis(100), s(90), s(91)].map(rounded_up);
        assert_eq!(text, ["0 s", "1 s", "90 s", "2 min"]);
    }
}
