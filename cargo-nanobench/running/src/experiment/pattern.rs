//! A FILTER of the command line, or a value of `--skip`.

use super::selection::{is_group, is_id_of};
use crate::benchmark_id::BenchmarkId;
use glob::Pattern as Glob;
use nanobench::model::BenchmarkSpec;
use regex_lite::Regex;
use std::str::FromStr;

/// A pattern for benchmarks. Ids contain `[`, `(`, `<` and `+`, so a plain text is a part of them.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// A part of an id, or the name of a group.
    Part,
    /// `/re/`, which is found anywhere in an id.
    Regex(Regex),
    /// `glob:..`, which matches a whole id.
    Glob(Glob),
    /// `tag:NAME`.
    Tag(String),
}

impl Pattern {
    /// Returns the pattern for ids that contain a text, whatever it begins with.
    pub fn part(text: String) -> Pattern {
        Pattern { text, kind: Kind::Part }
    }

    /// Returns the text that the user typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text, if the pattern is a part of ids.
    pub fn as_part(&self) -> Option<&str> {
        matches!(self.kind, Kind::Part).then_some(&self.text)
    }

    /// Returns whether the pattern is a regular expression.
    pub fn is_regex(&self) -> bool {
        matches!(self.kind, Kind::Regex(_))
    }

    /// Returns the tag, if the pattern is one.
    pub fn as_tag(&self) -> Option<&str> {
        if let Kind::Tag(tag) = &self.kind { Some(tag) } else { None }
    }

    /// Returns whether the pattern matches the id or the tags of a benchmark.
    pub(super) fn matches(
        &self,
        id: &BenchmarkId,
        benchmark: &BenchmarkSpec,
        exact: bool,
        ignores_case: bool,
    ) -> bool {
        match &self.kind {
            Kind::Part if exact => is_id_of(&self.text, id),
            Kind::Part if ignores_case => id.to_string().to_lowercase().contains(&self.text.to_lowercase()),
            Kind::Part => id.to_string().contains(&self.text),
            Kind::Regex(regex) => regex.is_match(&id.to_string()),
            Kind::Glob(glob) => glob.matches(&id.to_string()),
            Kind::Tag(tag) => benchmark.tags.iter().flatten().any(|own| own == tag),
        }
    }

    /// Returns whether the pattern is the group of a benchmark.
    pub(super) fn names_group_of(&self, id: &BenchmarkId, benchmark: &BenchmarkSpec) -> bool {
        self.as_part().is_some_and(|word| is_group(word, id, benchmark))
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Pattern, String> {
        // `glob::sort` is a path.
        let after = |prefix: &str| text.strip_prefix(prefix).filter(|rest| !rest.starts_with(':'));
        let regex = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        let kind = if let Some(regex) = regex.filter(|regex| !regex.is_empty()) {
            Kind::Regex(Regex::new(regex).map_err(|error| format!("not a regular expression: {error}"))?)
        } else if let Some(glob) = after("glob:") {
            Kind::Glob(Glob::new(glob).map_err(|error| format!("not a pattern: {error}"))?)
        } else if let Some(tag) = after("tag:") {
            Kind::Tag(tag.to_owned())
        } else {
            Kind::Part
        };
        Ok(Pattern { text: text.to_owned(), kind })
    }
}
