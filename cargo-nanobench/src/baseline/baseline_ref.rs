//! Where runs are kept, and how users call these places.

use super::name::LAST;
use super::{BaselineName, NameError, layout};
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What stands behind the name of a baseline for the one that it took the place of.
pub(super) const EARLIER_SUFFIX: &str = "~1";

/// Where a run is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BaselineRef {
    /// Where each run goes that is measured to its end.
    Last,
    /// Where it goes when it was asked to be kept.
    Named(BaselineName),
    /// Where what had that name goes then: `main~1`. Nothing else is written there.
    Earlier(BaselineName),
}

impl BaselineRef {
    /// Its folder, below the root of the store.
    ///
    /// The earlier ones have a folder of their own rather than names with a `~1`: on Windows, `before~1` may be the short
    /// name of `before-simd`.
    pub(super) fn folder(&self, root: &Path) -> PathBuf {
        match self {
            BaselineRef::Last => root.join(LAST),
            BaselineRef::Named(name) => layout::baselines(root).join(name.as_ref()),
            BaselineRef::Earlier(name) => layout::earlier(root).join(name.as_ref()),
        }
    }

    /// As it is typed: `main`, `main~1`, `last`.
    pub(crate) fn name(&self) -> String {
        match self {
            BaselineRef::Last => LAST.to_owned(),
            BaselineRef::Named(name) => name.to_string(),
            BaselineRef::Earlier(name) => format!("{name}{EARLIER_SUFFIX}"),
        }
    }

    /// As tables and reports call it: `main`, `main~1`, `last run`.
    pub(crate) fn title(&self) -> String {
        if *self == BaselineRef::Last { "last run".to_owned() } else { self.name() }
    }

    /// Its name as a shell takes it.
    pub(crate) fn argument(&self) -> String {
        let name = self.name();
        if name.contains(' ') { format!("\"{name}\"") } else { name }
    }
}

impl Display for BaselineRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BaselineRef::Last => f.write_str("the last run"),
            BaselineRef::Named(_) | BaselineRef::Earlier(_) => write!(f, "baseline `{}`", self.name()),
        }
    }
}

/// Reads the name of a baseline, of the one before it, or of the last run.
impl FromStr for BaselineRef {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.strip_suffix(EARLIER_SUFFIX) {
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
    fn names_are_read_and_said_alike() {
        for name in ["main", "main~1", "two words~1", "last"] {
            assert_eq!(name.parse::<BaselineRef>().unwrap().name(), name);
        }
        for name in ["~1", "main~2", "main~1~1", "main~", "a/b~1", "", "last~1"] {
            assert!(name.parse::<BaselineRef>().is_err(), "{name}");
        }
        assert_eq!("two words~1".parse::<BaselineRef>().unwrap().argument(), "\"two words~1\"");
        assert_eq!("last".parse(), Ok(BaselineRef::Last));
        assert_eq!("Last".parse::<BaselineRef>().unwrap().title(), "Last", "that is a name like others");
        assert_eq!(BaselineRef::Last.title(), "last run");
    }

    #[test]
    fn no_folder_has_a_tilde_in_its_name() {
        let folder = "main~1".parse::<BaselineRef>().unwrap().folder(Path::new("root"));
        assert_eq!(folder, Path::new("root").join("earlier").join("main"));
    }
}
