//! The printed results: their destination, their style, and the warnings above them.

use super::markdown::Markdown;
use super::result::BenchResult;
use crate::fitness;
use crate::model::KeyValue;
use crate::text::join;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// The warnings about the machine were printed to stdout, by any `Bench` of this process.
static IS_STDOUT_WARNED: AtomicBool = AtomicBool::new(false);

/// The style of the printed results: see [`Bench::style`](super::Bench::style).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BenchStyle {
    /// A Markdown table, as `ankerl::nanobench` prints it.
    #[default]
    Markdown,
    /// Two lines for each result, as SoftWx's Bench prints it: the
    /// [`Display`](std::fmt::Display) of [`BenchResult`].
    Text,
}

/// The printed results.
#[derive(Default)]
pub(super) struct Output {
    destination: Destination,
    pub(super) style: BenchStyle,
    table: Markdown,
    /// The warnings about the machine were printed to the writer.
    pub(super) is_warned: bool,
}

#[derive(Default)]
enum Destination {
    /// With `print!`, which tests capture.
    #[default]
    Stdout,
    Writer(Box<dyn Write>),
}

impl Output {
    /// Prints to `writer` from now on.
    #[inline]
    pub(super) fn write_to(&mut self, writer: impl Write + 'static) {
        self.destination = Destination::Writer(Box::new(writer));
    }

    /// Prints a result, below the warnings about the machine if it is the first one there.
    #[inline]
    pub(super) fn result(&mut self, result: &BenchResult) {
        let is_warned = match self.destination {
            Destination::Stdout => IS_STDOUT_WARNED.swap(true, Ordering::Relaxed),
            Destination::Writer(_) => std::mem::replace(&mut self.is_warned, true),
        };
        let is_silent = is_warned || fitness::is_suppressed();
        let mut lines = if is_silent { String::new() } else { fitness::warnings(fitness::is_unoptimized()) };
        if let Some(KeyValue { value: why, .. }) = result.unreadable.first().filter(|_| !is_silent) {
            let mut names = result.unreadable.iter().map(|counter| counter.key.as_str());
            lines += &format!("Note: can't read {}: {why}\n", join(&mut names, ", "));
        }
        lines += &match self.style {
            BenchStyle::Markdown => self.table.row(result),
            BenchStyle::Text => format!("{result}\n"),
        };
        self.print(&lines);
    }

    #[inline]
    pub(super) fn print(&mut self, text: &str) {
        match &mut self.destination {
            Destination::Stdout => print!("{text}"),
            // The results are complete without it, and `render` reports errors.
            Destination::Writer(writer) => {
                drop(writer.write_all(text.as_bytes()).and_then(|()| writer.flush()));
            }
        }
    }
}
