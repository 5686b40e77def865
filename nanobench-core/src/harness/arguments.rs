//! The arguments that cargo, nextest and people give an executable with `nanobench::main!()`: those of the standard
//! test harness, as far as they mean something here.

/// What an executable is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    /// `--bench`, which `cargo bench` passes: measure. Without it, which is `cargo test`, each runs once.
    pub(super) bench: bool,
    /// `--list`: print the names only.
    pub(super) list: bool,
    /// Print nothing around the names of a list, and little elsewhere.
    pub(super) terse: bool,
    exact: bool,
    ignored: bool,
    include_ignored: bool,
    skip: Vec<String>,
    filters: Vec<String>,
}

impl Arguments {
    /// Reads the arguments after the executable's own name.
    pub(super) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Arguments, String> {
        let mut parsed = Arguments::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let (flag, attached) = match argument.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => (flag, Some(value.to_owned())),
                _ => (argument.as_str(), None),
            };
            let mut value =
                || attached.clone().or_else(|| arguments.next()).ok_or(format!("`{flag}` needs a value"));
            match flag {
                "--bench" => parsed.bench = true,
                "--list" => parsed.list = true,
                "--exact" => parsed.exact = true,
                "--ignored" => parsed.ignored = true,
                "--include-ignored" => parsed.include_ignored = true,
                "--skip" => parsed.skip.push(value()?),
                "-q" | "--quiet" => parsed.terse = true,
                "--format" => parsed.terse = value()? == "terse",
                // They change nothing here: benchmarks run one at a time, and what they print is shown.
                "--test" | "--nocapture" | "--no-capture" | "--show-output" => {}
                "--color" | "--test-threads" | "-Z" => drop(value()?),
                filter if !filter.starts_with('-') => parsed.filters.push(argument),
                _ => return Err(format!("unknown option `{flag}`")),
            }
        }
        Ok(parsed)
    }

    /// Whether the benchmark `path` is asked for by name.
    pub(super) fn selects(&self, path: &str) -> bool {
        let matches =
            |pattern: &String| if self.exact { path == pattern } else { path.contains(pattern.as_str()) };
        (self.filters.is_empty() || self.filters.iter().any(matches)) && !self.skip.iter().any(matches)
    }

    /// Whether one that is selected runs, or is only mentioned as ignored.
    pub(super) fn runs(&self, ignored: bool) -> bool {
        self.include_ignored || ignored == self.ignored
    }

    /// Whether one that is selected is listed: `--ignored` leaves only those that are.
    pub(super) fn lists(&self, ignored: bool) -> bool {
        ignored || !self.ignored || self.include_ignored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Arguments, String> {
        Arguments::parse(arguments.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn takes_what_nextest_and_cargo_pass() {
        let listed = parse("--list --format terse --ignored").unwrap();
        assert!(listed.list && listed.terse && listed.lists(true) && !listed.lists(false));
        let one = parse("a::b --exact --nocapture --bench").unwrap();
        assert!(one.bench && one.selects("a::b") && !one.selects("a::bc"));
        assert!(parse("--format=terse").unwrap().terse);
    }

    #[test]
    fn filters_and_skips_are_parts_of_the_path() {
        let arguments = parse("sort hash --skip slow").unwrap();
        assert!(arguments.selects("x::sort") && arguments.selects("hash::y"));
        assert!(!arguments.selects("sort::slow") && !arguments.selects("other"));
    }

    #[test]
    fn what_it_does_not_know_is_an_error() {
        assert_eq!(parse("--save-baseline main"), Err("unknown option `--save-baseline`".into()));
        assert_eq!(parse("--skip"), Err("`--skip` needs a value".into()));
    }
}
