//! Filters in the code. Those of the command line are the engine's.

/// The variant `Regex` needs the feature `regex`.
#[derive(Debug, Clone)]
pub enum BenchmarkFilter {
    AcceptAll,
    #[cfg(feature = "regex")]
    Regex(regex::Regex),
    Exact(String),
    RejectAll,
    #[doc(hidden)]
    #[cfg(not(feature = "regex"))]
    __Text(Text),
}

impl BenchmarkFilter {
    /// Returns the filter of `Criterion::with_filter`, which is a regular expression.
    #[cfg(feature = "regex")]
    pub(crate) fn of_pattern(pattern: &str) -> BenchmarkFilter {
        let parsed = regex::Regex::new(pattern);
        BenchmarkFilter::Regex(parsed.unwrap_or_else(|error| {
            panic!("the filter `{pattern}` is not a regular expression: {error}");
        }))
    }

    /// Returns the filter of `Criterion::with_filter`, which is a regular expression.
    #[cfg(not(feature = "regex"))]
    pub(crate) fn of_pattern(pattern: &str) -> BenchmarkFilter {
        BenchmarkFilter::__Text(Text::parse(pattern).unwrap_or_else(|| {
            panic!(
                "the filter `{pattern}` is a regular expression: add `features = [\"regex\"]` to \
                 `nanobench-criterion` in Cargo.toml"
            );
        }))
    }

    pub(crate) fn accepts(&self, id: &str) -> bool {
        match self {
            BenchmarkFilter::AcceptAll => true,
            #[cfg(feature = "regex")]
            BenchmarkFilter::Regex(regex) => regex.is_match(id),
            BenchmarkFilter::Exact(exact) => id == exact,
            BenchmarkFilter::RejectAll => false,
            #[cfg(not(feature = "regex"))]
            BenchmarkFilter::__Text(text) => text.is_in(id),
        }
    }
}

/// A regular expression that is a plain text, perhaps between `^` and `$`.
#[doc(hidden)]
#[cfg(not(feature = "regex"))]
#[derive(Debug, Clone)]
pub struct Text {
    text: String,
    at_start: bool,
    at_end: bool,
}

#[cfg(not(feature = "regex"))]
impl Text {
    fn parse(pattern: &str) -> Option<Text> {
        let (rest, at_start) = pattern.strip_prefix('^').map_or((pattern, false), |rest| (rest, true));
        let (rest, at_end) = match rest.strip_suffix('$') {
            Some(rest) if !rest.ends_with('\\') => (rest, true),
            _ => (rest, false),
        };
        let (mut text, mut rest) = (String::new(), rest.chars());
        while let Some(next) = rest.next() {
            text.push(match next {
                '\\' => rest.next().filter(char::is_ascii_punctuation)?,
                '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' => return None,
                _ => next,
            });
        }
        Some(Text { text, at_start, at_end })
    }

    fn is_in(&self, id: &str) -> bool {
        let text = self.text.as_str();
        match (self.at_start, self.at_end) {
            (false, false) => id.contains(text),
            (true, false) => id.starts_with(text),
            (false, true) => id.ends_with(text),
            (true, true) => id == text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_selects_as_a_regular_expression() {
        let accepts = |pattern: &str, id: &str| BenchmarkFilter::of_pattern(pattern).accepts(id);
        assert!(accepts("b c", "a/b c/d") && accepts("^a/", "a/b") && accepts("b$", "a/b"));
        assert!(accepts(r"^1\.5$", "1.5") && accepts(r"cost \$", "cost $"));
        assert!(
            !accepts("^b", "a/b") && !accepts("a$", "a/b") && !accepts("^a$", "a/b") && !accepts("c", "a/b")
        );
    }

    #[test]
    #[cfg(not(feature = "regex"))]
    #[should_panic(expected = "features = [\"regex\"]")]
    fn other_patterns_need_the_feature() {
        BenchmarkFilter::of_pattern("a|b");
    }
}
