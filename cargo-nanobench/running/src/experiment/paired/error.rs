//! The errors that leave a benchmark without a block.

use crate::experiment::suite::STABLE_LABELS_ADVICE;
use crate::session::{self, RequestError};

/// An error that leaves a benchmark without a block.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    #[error(transparent)]
    Session(#[from] session::Error),
    #[error("{0}{advice}", advice = .0.advice())]
    Request(#[from] RequestError),
    /// The executable listed the benchmark when all of its benchmarks were requested.
    #[error("another process of the same executable has no row with this name: {STABLE_LABELS_ADVICE}")]
    NoSuchBenchmark,
    #[error("its `count` differs in the baseline's executable")]
    OtherCount,
    /// The clock's cost accounts for the whole time of a sample.
    #[error("nothing was left to time")]
    NothingToTime,
    #[error("in the baseline's executable: {0}")]
    InBaseline(Box<BlockError>),
}

impl BlockError {
    /// Adds the side to an error of a baseline's process. Errors without a side are those of the
    /// candidate.
    pub(super) fn on_side(self, is_baseline: bool) -> BlockError {
        let is_of_process = matches!(self, BlockError::Session(_) | BlockError::Request(_));
        if is_baseline && is_of_process { BlockError::InBaseline(Box::new(self)) } else { self }
    }

    /// Returns advice on an error that a process may only have because the other ones live at the same
    /// time. Empty if there is none.
    pub fn advice(&self) -> &'static str {
        let text = self.to_string();
        let is_any_of = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
        if is_any_of(&["AddrInUse", "Address already in use"]) {
            ": both sides run at the same time, so bind port 0, which gives each process a port of its own"
        } else if is_any_of(&["WouldBlock", "AlreadyExists", "ResourceBusy", "is locked"]) {
            ": both sides run at the same time, so give each process files of its own, with std::process::id() in \
             their names"
        } else {
            ""
        }
    }

    /// Returns whether a process of the baseline may have failed because a file is missing.
    pub fn is_missing_file(&self) -> bool {
        let text = self.to_string();
        matches!(self, BlockError::InBaseline(_))
            && ["NotFound", "No such file"].iter().any(|sign| text.contains(sign))
    }

    /// Returns whether Ctrl-C caused the error.
    pub fn is_interruption(&self) -> bool {
        match self {
            BlockError::Session(error) => error.is_interruption(),
            BlockError::Request(error) => error.is_interruption(),
            BlockError::InBaseline(error) => error.is_interruption(),
            BlockError::NoSuchBenchmark | BlockError::OtherCount | BlockError::NothingToTime => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_timeout_says_how_to_raise_it() {
        let error = BlockError::from(RequestError::TimedOut(Duration::from_secs(60))).on_side(true);
        assert_eq!(
            error.to_string(),
            "in the baseline's executable: stopped after its timeout of 60 s: raise --timeout, or set `timeout` \
             in its attribute"
        );
    }

    #[test]
    fn what_only_one_process_can_have_gets_advice() {
        let error = |text: &str| BlockError::from(RequestError::Panicked(text.to_owned())).on_side(true);
        assert!(error("Os { code: 98, kind: AddrInUse }").advice().contains("bind port 0"));
        assert!(error("database is locked").advice().contains("std::process::id()"));
        assert_eq!(error("index out of bounds").advice(), "");
    }

    #[test]
    fn only_errors_of_a_process_name_the_baseline() {
        let message = |is_baseline| {
            BlockError::from(RequestError::Panicked("there".into())).on_side(is_baseline).to_string()
        };
        assert_eq!(message(false), "failed: there");
        assert_eq!(message(true), "in the baseline's executable: failed: there");
        assert_eq!(
            BlockError::NothingToTime.on_side(true).to_string(),
            BlockError::NothingToTime.to_string()
        );
    }
}
