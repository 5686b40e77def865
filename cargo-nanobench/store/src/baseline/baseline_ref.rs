//! References to stored runs, and their names for users.

use super::name::LAST;
use super::{BaselineName, NameError};
use std::fmt::{self, Display};
use std::str::FromStr;

/// The suffix of a name for the previous baseline of that name.
const EARLIER_SUFFIX: &str = "~1";

/// The titles of runs that nobody named.
pub const LAST_RUN: &str = "last run";
const PREVIOUS_RUN: &str = "previous run";

/// A reference to a stored run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaselineRef {
    /// The last complete run: `last`.
    Last,
    /// The run before it, of other code: `last~1`.
    BeforeLast,
    /// A run that was saved under a name: `main`.
    Named(BaselineName),
    /// The previous baseline of a name: `main~1`.
    Earlier(BaselineName),
}

impl BaselineRef {
    /// Returns whether it is the previous version of a name.
    pub(super) fn is_previous(&self) -> bool {
        self.previous().is_none()
    }

    /// Returns the previous version, if it may have one.
    pub fn previous(&self) -> Option<BaselineRef> {
        match self {
            BaselineRef::Named(name) => Some(BaselineRef::Earlier(name.clone())),
            BaselineRef::Last => Some(BaselineRef::BeforeLast),
            BaselineRef::BeforeLast | BaselineRef::Earlier(_) => None,
        }
    }

    /// Returns the name that users type: `main`, `main~1`, `last`, `last~1`.
    pub fn name(&self) -> String {
        match self {
            BaselineRef::Last => LAST.to_owned(),
            BaselineRef::BeforeLast => format!("{LAST}{EARLIER_SUFFIX}"),
            BaselineRef::Named(name) => name.to_string(),
            BaselineRef::Earlier(name) => format!("{name}{EARLIER_SUFFIX}"),
        }
    }

    /// Returns the name in tables and reports: `main`, `main~1`, `last run`, `previous run`.
    pub fn title(&self) -> String {
        match self {
            BaselineRef::Last => LAST_RUN.to_owned(),
            BaselineRef::BeforeLast => PREVIOUS_RUN.to_owned(),
            BaselineRef::Named(_) | BaselineRef::Earlier(_) => self.name(),
        }
    }

    /// Returns the name as an argument of a shell command.
    pub fn argument(&self) -> String {
        let name = self.name();
        if name.contains(' ') { format!("\"{name}\"") } else { name }
    }
}

/// Returns a title as sentences have it: `main`, `the last run`.
pub fn in_sentence(title: &str) -> String {
    let article = if [LAST_RUN, PREVIOUS_RUN].contains(&title) { "the " } else { "" };
    article.to_owned() + title
}

impl Display for BaselineRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BaselineRef::Last => f.write_str("the last run"),
            BaselineRef::BeforeLast => f.write_str("the previous run"),
            BaselineRef::Named(_) | BaselineRef::Earlier(_) => write!(f, "baseline `{}`", self.name()),
        }
    }
}

/// Parses `main`, `main~1`, `last` or `last~1`.
impl FromStr for BaselineRef {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.strip_suffix(EARLIER_SUFFIX) {
            Some(LAST) => Ok(BaselineRef::BeforeLast),
            Some(name) => name.parse().map(BaselineRef::Earlier),
            None if text == LAST => Ok(BaselineRef::Last),
            None => text.parse().map(BaselineRef::Named),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in ["main", "main~1", "two words~1", "last", "last~1"] {
            assert_eq!(name.parse::<BaselineRef>().unwrap().name(), name);
        }
        for name in ["~1", "main~2", "main~1~1", "main~", "a/b~1", "", "last~1~1", "Last", "LAST~1"] {
            assert!(name.parse::<BaselineRef>().is_err(), "{name}");
        }
        assert_eq!("two words~1".parse::<BaselineRef>().unwrap().argument(), "\"two words~1\"");
        assert_eq!("last".parse(), Ok(BaselineRef::Last));
        let previous = |name: &str| Some(name.parse::<BaselineRef>().unwrap().previous()?.name());
        assert_eq!(previous("main").as_deref(), Some("main~1"));
        assert_eq!(previous("last").as_deref(), Some("last~1"));
        assert_eq!((previous("main~1"), previous("last~1")), (None, None));
        assert_eq!("lasting".parse::<BaselineRef>().unwrap().title(), "lasting", "an ordinary name");
        assert_eq!(BaselineRef::Last.title(), "last run");
        let sentence = |name: &str| in_sentence(&name.parse::<BaselineRef>().unwrap().title());
        assert_eq!(["last", "last~1", "main"].map(sentence), ["the last run", "the previous run", "main"]);
    }
}
