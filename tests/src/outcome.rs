//! The outcome of a command, with assertions that print all of it when they fail.

use crate::report::{Comparison, Report};
use std::borrow::Cow;
use std::fmt;
use std::process::ExitStatus;

/// The exit status and the output of a command.
pub struct Outcome {
    command: String,
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Outcome {
    pub(crate) fn new(command: String, status: ExitStatus, stdout: Vec<u8>, stderr: Vec<u8>) -> Self {
        Self { command, status, stdout, stderr }
    }

    /// Returns all of stdout.
    pub fn stdout(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// Returns all of stderr.
    pub fn stderr(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stderr)
    }

    /// Returns the exit code. `None` if a signal ended the command.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// Returns the lines of stdout.
    pub fn lines(&self) -> Vec<String> {
        self.stdout().lines().map(str::to_owned).collect()
    }

    /// Returns the comparison of a benchmark with its baseline, from the JSON document.
    #[track_caller]
    pub fn compared(&self, id: &str) -> Comparison {
        let compared = self.exits(0).json().row(id).comparison;
        compared.unwrap_or_else(|| panic!("{id} was not compared\n{self}"))
    }

    /// Returns whether the command failed, other than by a signal.
    pub fn exits_with_failure(&self) -> bool {
        self.status.code().is_some_and(|code| code != 0)
    }

    /// Expects this exit code, and no panic of the tool.
    #[track_caller]
    pub fn exits(&self, code: i32) -> &Self {
        assert!(!self.stderr().contains("panicked at cargo-nanobench"), "the product panicked\n{self}");
        assert!(self.status.code() == Some(code), "expected exit code {code}\n{self}");
        self
    }

    /// Expects this text on stdout.
    #[track_caller]
    pub fn prints(&self, text: &str) -> &Self {
        assert!(self.stdout().contains(text), "expected {text:?} on stdout\n{self}");
        self
    }

    /// Expects this text on stdout or stderr.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.holds(text), "expected {text:?}\n{self}");
        self
    }

    /// Expects one of these texts on stdout or stderr, in any case.
    #[track_caller]
    pub fn says_one_of(&self, texts: &[&str]) -> &Self {
        let all = format!("{}\n{}", self.stdout(), self.stderr()).to_lowercase();
        assert!(
            texts.iter().any(|text| all.contains(&text.to_lowercase())),
            "expected one of {texts:?}\n{self}"
        );
        self
    }

    /// Expects this text neither on stdout nor on stderr.
    #[track_caller]
    pub fn never_says(&self, text: &str) -> &Self {
        assert!(!self.holds(text), "did not expect {text:?}\n{self}");
        self
    }

    /// Expects this exit code, an error with this text on stderr, and an empty stdout.
    #[track_caller]
    pub fn fails_with(&self, code: i32, text: &str) -> &Self {
        self.exits(code);
        let error = self.stderr().find("error: ").map(|start| self.stderr()[start..].to_owned());
        assert!(
            error.is_some_and(|error| error.contains(text)),
            "expected an error that says {text:?}\n{self}"
        );
        assert!(self.stdout.is_empty(), "expected nothing on stdout\n{self}");
        self
    }

    /// Expects exactly these lines on stdout.
    #[track_caller]
    pub fn lists(&self, expected: &[&str]) -> &Self {
        assert!(self.lines() == expected, "expected on stdout: {expected:#?}\n{self}");
        self
    }

    /// Returns the line of the table whose first word is `name`.
    #[track_caller]
    pub fn row(&self, name: &str) -> String {
        let row = self.lines().into_iter().find(|line| line.split_whitespace().next() == Some(name));
        row.unwrap_or_else(|| panic!("no row starts with `{name}`\n{self}"))
    }

    /// Returns whether a line of the table starts with `name`.
    pub fn has_row(&self, name: &str) -> bool {
        self.lines().iter().any(|line| line.split_whitespace().next() == Some(name))
    }

    /// Parses stdout, which must be one JSON document.
    #[track_caller]
    pub fn json(&self) -> Report {
        match serde_json::from_slice(&self.stdout) {
            Ok(report) => report,
            Err(error) => panic!("stdout is not one JSON document: {error}\n{self}"),
        }
    }

    fn holds(&self, text: &str) -> bool {
        self.stdout().contains(text) || self.stderr().contains(text)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ended: {}", self.command, self.status)?;
        writeln!(f, "--- stdout\n{}", shortened(&self.stdout()))?;
        writeln!(f, "--- stderr\n{}---", shortened(&self.stderr()))
    }
}

/// Returns the first and last few thousand characters.
fn shortened(text: &str) -> String {
    const HALF: usize = 6_000;
    let length = text.chars().count();
    if length <= 2 * HALF {
        return text.to_owned();
    }
    let head: String = text.chars().take(HALF).collect();
    let tail: String = text.chars().skip(length - HALF).collect();
    format!("{head}\n[.. {} characters ..]\n{tail}", length - 2 * HALF)
}
