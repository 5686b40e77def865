//! The identity of a row.

use crate::record::{record, words};
use crate::text::join;
use std::fmt::{self, Display, Write};

record! {
    /// Identity of a row within its executable.
    ///
    /// Displayed as `modules::function/labels/conditions`:
    /// `hashing::sort/Vec<u64>/1000/cold/threads=2`.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
    pub struct RowId {
        /// Modules below the crate's root, joined by `::`. Empty at the root.
        pub modules: String,
        /// Name of the function, or the `name = "..."` that is shown instead.
        pub function: String,
        /// Labels of its types, constants and argument, from the outermost in.
        pub labels: Vec<String>,
        /// Number after the labels, from 2, if an earlier row of the function has the same labels.
        pub number: Option<u64>,
        /// Conditions under which it runs.
        pub conditions: RunConditions,
    }
}

record! {
    /// Conditions under which a row runs.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct RunConditions {
        /// State of the caches before each iteration.
        pub cache: CacheState,
        /// Number of bytes to write to empty the caches, if requested. The default depends on the
        /// machine.
        pub wipe_size: Option<u64>,
        /// Number of threads that run it at once, if requested.
        pub threads: Option<u64>,
    }
}

words! {
    /// State of the caches before an iteration.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum CacheState {
        /// As the previous iteration left them.
        #[default]
        Warm = "warm",
        /// Emptied.
        Cold = "cold",
    }
}

words! {
    /// States of the caches that a function has rows for.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum CacheStates {
        /// As the previous iteration left them.
        #[default]
        Warm = "warm",
        /// Emptied.
        Cold = "cold",
        /// A row for each.
        Both = "both",
    }
}

impl RowId {
    /// Returns whether both are rows of the same function.
    pub fn is_same_function(&self, other: &RowId) -> bool {
        self.modules == other.modules && self.function == other.function
    }

    /// Returns whether both have the same labels and run conditions, regardless of their functions.
    pub fn is_same_case(&self, other: &RowId) -> bool {
        self.labels == other.labels && self.number == other.number && self.conditions == other.conditions
    }

    /// Returns labels and run conditions as text: `Vec<u64>/1000/cold`. Empty for a function
    /// of one row.
    pub fn case(&self) -> String {
        let mut labels = join(&mut self.labels.iter().map(String::as_str), "/");
        if let Some(number) = self.number {
            _ = write!(labels, "#{number}");
        }
        joined(labels, "/", &self.conditions.to_string())
    }

    /// Returns the function's path below the crate's root: `hashing::sort`.
    pub fn function_path(&self) -> String {
        joined(self.modules.clone(), "::", &self.function)
    }

    /// Returns whether `word` is the end of the row's path, from the function's name or a module on.
    /// `scope` is the path of the executable, if words may begin with a part of it.
    pub fn is_called(&self, scope: &str, word: &str) -> bool {
        let path = joined(scope.to_owned(), "::", &self.to_string());
        let name_length = joined(self.function.clone(), "/", &self.case()).len();
        let before = path.strip_suffix(word).filter(|_| word.len() >= name_length);
        before.is_some_and(|before| before.is_empty() || before.ends_with("::"))
    }

    /// Returns whether `word` names the row, its function or a module around it, like
    /// [`is_called`](RowId::is_called). The scope alone doesn't count.
    pub fn is_named(&self, scope: &str, word: &str) -> bool {
        let scope_path = if scope.is_empty() { String::new() } else { format!("::{scope}") };
        let (path, part) = (format!("{scope_path}::{}::", self.function_path()), format!("::{word}::"));
        let first = (scope_path.len() + "::".len() + 1).saturating_sub(part.len());
        let is_in_path =
            || path.as_bytes()[first..].windows(part.len()).any(|found| found == part.as_bytes());
        !word.is_empty() && (self.is_called(scope, word) || is_in_path())
    }

    /// Returns the id without the label at `index`. Removing the last label removes the number,
    /// too.
    pub fn without_label(&self, index: usize) -> RowId {
        let mut id = self.clone();
        if index < id.labels.len() {
            id.labels.remove(index);
        }
        if index >= id.labels.len() {
            id.number = None;
        }
        id
    }
}

impl Display for RowId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&joined(self.function_path(), "/", &self.case()))
    }
}

impl RunConditions {
    /// Returns whether nobody requested any: these don't show in an id.
    pub fn is_default(&self) -> bool {
        *self == RunConditions::default()
    }
}

impl Display for RunConditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cache = match (self.cache, self.wipe_size) {
            (CacheState::Warm, _) => String::new(),
            (CacheState::Cold, None) => "cold".to_owned(),
            (CacheState::Cold, Some(size)) => format!("cold {}", bytes(size)),
        };
        let threads = self.threads.map_or_else(String::new, |threads| format!("threads={threads}"));
        f.pad(&joined(cache, "/", &threads))
    }
}

/// Joins two parts, either of which may be empty.
fn joined(mut text: String, separator: &str, part: &str) -> String {
    if !text.is_empty() && !part.is_empty() {
        text.push_str(separator);
    }
    text.push_str(part);
    text
}

/// Returns a size in the largest unit that it is a multiple of.
fn bytes(size: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(unit, _)| size >= *unit && size % unit == 0) {
        Some((unit, name)) => format!("{} {name}", size / unit),
        None => format!("{size} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(labels: &[&str], number: Option<u64>, conditions: RunConditions) -> RowId {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        RowId { modules: "a::b".into(), function: "walk".into(), labels, number, conditions }
    }

    #[test]
    fn ids_read_as_paths() {
        let cold = |wipe_size, threads| RunConditions { cache: CacheState::Cold, wipe_size, threads };
        let text = |id: &RowId| (id.to_string(), id.case());
        let plain = id(&[], None, RunConditions::default());
        assert_eq!(text(&plain), ("a::b::walk".into(), String::new()));
        assert_eq!(RowId { modules: String::new(), ..plain }.to_string(), "walk");
        let of_labels = id(&["u8", "10"], Some(2), cold(None, None));
        assert_eq!(text(&of_labels), ("a::b::walk/u8/10#2/cold".into(), "u8/10#2/cold".into()));
        let conditions = id(&[], None, cold(Some(32 << 10), Some(2)));
        assert_eq!(
            text(&conditions),
            ("a::b::walk/cold 32 KiB/threads=2".into(), "cold 32 KiB/threads=2".into())
        );
        assert_eq!(cold(Some(3 << 20), None).to_string(), "cold 3 MiB");
        assert_eq!(cold(Some(100), None).to_string(), "cold 100 B");
    }

    #[test]
    fn removing_the_last_label_removes_the_number() {
        let without =
            |index| id(&["u8", "10"], Some(2), RunConditions::default()).without_label(index).case();
        assert_eq!((without(0), without(1), without(2)), ("10#2".into(), "u8".into(), "u8/10".into()));
    }

    #[test]
    fn unknown_words_are_errors() {
        let read = |text| crate::json::from_str::<RunConditions>(text).map_err(|error| error.to_string());
        let conditions = RunConditions { cache: CacheState::Cold, ..RunConditions::default() };
        assert_eq!(read(r#"{"cache":"cold","threads":null}"#), Ok(conditions));
        assert_eq!(crate::json::to_string(&conditions), r#"{"cache":"cold"}"#);
        let error = read(r#"{"cache":"hot"}"#).unwrap_err();
        assert_eq!(error, "field `cache`: expected `warm` or `cold`, found `hot`");
        assert_eq!(read(r#"{"cache":1}"#).unwrap_err(), "field `cache`: expected a string, found a number");
    }
}
