//! Filters in the code. Those of the command line are the engine's.

#[cfg(not(feature = "regex"))]
use nanobench_engine::__private::expression;

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
    __Common(String),
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
        assert!(
            expression::is_supported(pattern),
            "the filter `{pattern}` is a regular expression: add `features = [\"regex\"]` to \
             `nanobench-criterion` in Cargo.toml"
        );
        BenchmarkFilter::__Common(pattern.to_owned())
    }

    pub(crate) fn accepts(&self, id: &str) -> bool {
        match self {
            BenchmarkFilter::AcceptAll => true,
            #[cfg(feature = "regex")]
            BenchmarkFilter::Regex(regex) => regex.is_match(id),
            BenchmarkFilter::Exact(exact) => id == exact,
            BenchmarkFilter::RejectAll => false,
            #[cfg(not(feature = "regex"))]
            BenchmarkFilter::__Common(pattern) => expression::is_match(pattern, id),
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
        BenchmarkFilter::of_pattern("[ab]");
    }
}
