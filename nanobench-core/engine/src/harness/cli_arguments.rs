//! The command-line arguments of an executable with `nanobench::main!()`: those of the standard
//! test harness that cargo, nextest and people use.

use super::expression;
use crate::model::BenchmarkSpec;
use crate::spelling::misspelling;

/// The command-line arguments of an executable.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CliArguments {
    /// `--bench`: measure, as for `cargo bench`. Without it, each benchmark runs once, as for
    /// `cargo test`.
    pub(super) bench: bool,
    /// `--list`: print the names only.
    pub(super) list: bool,
    /// `--quiet` or `--format terse`: print a list without its summary.
    pub(super) terse: bool,
    exact: bool,
    ignored: bool,
    include_ignored: bool,
    skip: Vec<String>,
    skip_exact: Vec<String>,
    filters: Vec<String>,
}

impl CliArguments {
    /// Reads the arguments after the executable's own name.
    pub(super) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<CliArguments, String> {
        let mut parsed = CliArguments::default();
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
                "--skip-exact" => parsed.skip_exact.push(value()?),
                "-q" | "--quiet" => parsed.terse = true,
                "--format" => parsed.terse = is_terse(&value()?)?,
                // No effect: benchmarks run one at a time, and their output is shown.
                "--test" | "--nocapture" | "--no-capture" | "--show-output" => {}
                "--color" | "--test-threads" | "-Z" => drop(value()?),
                filter if !filter.starts_with('-') => parsed.filters.push(argument),
                _ => return Err(format!("unknown option `{flag}`")),
            }
        }
        Ok(parsed)
    }

    /// Returns whether the filters select a benchmark, by its path or its group.
    pub(super) fn selects(&self, benchmark: &BenchmarkSpec) -> bool {
        let path = benchmark.id.to_string();
        // As other libraries write it.
        let paths = [path.replace('/', "::"), path];
        let is_path = |pattern: &String| paths.contains(pattern);
        let is_part = |pattern: &String| {
            let is_expression = expression::is_supported(pattern);
            let is_match = |path: &String| is_expression && expression::is_match(pattern, path);
            paths.iter().any(|path| path.contains(pattern.as_str()) || is_match(path))
        };
        let matches = |pattern: &String| if self.exact { is_path(pattern) } else { is_part(pattern) };
        let passes = |filter: &String| matches(filter) || benchmark.group.as_ref() == Some(filter);
        (self.filters.is_empty() || self.filters.iter().any(passes))
            && !self.skip.iter().any(matches)
            && !self.skip_exact.iter().any(is_path)
    }

    /// Returns whether a selected benchmark runs, and is not only listed as ignored.
    pub(super) fn runs(&self, ignored: bool) -> bool {
        self.include_ignored || ignored == self.ignored
    }

    /// Returns whether a selected benchmark is measured. Like `cargo nanobench`, `cargo bench` also
    /// measures ignored benchmarks that a filter names.
    pub(super) fn measures(&self, benchmark: &BenchmarkSpec) -> bool {
        let names =
            |filter: &String| benchmark.group.as_ref() == Some(filter) || benchmark.id.is_named("", filter);
        self.runs(benchmark.ignored) || (benchmark.ignored && self.filters.iter().any(names))
    }

    /// Returns the message that none of these benchmarks is measured.
    pub(super) fn no_match_message<'b>(
        &self,
        benchmarks: impl Iterator<Item = &'b BenchmarkSpec> + Clone,
    ) -> String {
        if !benchmarks.clone().any(|benchmark| self.selects(benchmark)) {
            let paths: Vec<String> = benchmarks.map(|benchmark| benchmark.id.to_string()).collect();
            let near = self.filters.iter().find_map(|filter| nearest(filter, &paths));
            let expression = self.filters.iter().find(|filter| !expression::is_supported(filter));
            let hint = match (near, expression) {
                (Some(path), _) => format!("did you mean `{path}`?"),
                (None, Some(filter)) => format!("for a regular expression: cargo nanobench '/{filter}/'"),
                (None, None) => "list all: add --list".to_owned(),
            };
            return format!("no benchmark of this target matches\n  {hint}");
        }
        let reason = if self.ignored {
            "no matching one is marked #[ignore]: omit --ignored"
        } else {
            "all matching ones are marked #[ignore]: name one, or add --include-ignored"
        };
        format!("no benchmark of this target was measured: {reason}")
    }

    /// Returns whether a selected benchmark is listed. `--ignored` lists only ignored ones.
    pub(super) fn lists(&self, ignored: bool) -> bool {
        ignored || !self.ignored || self.include_ignored
    }
}

/// Returns whether a format is the terse one. Other formats are errors, because their readers could
/// not read a table.
fn is_terse(format: &str) -> Result<bool, String> {
    match format {
        "terse" => Ok(true),
        "pretty" => Ok(false),
        "json" => Err("`--format json` is not supported here; run cargo nanobench --format json".to_owned()),
        _ => Err(format!("unknown format `{format}`; use `pretty` or `terse`")),
    }
}

/// Returns the path with the part that `word` is most probably a misspelling of, if there is one.
fn nearest<'a>(word: &str, paths: &'a [String]) -> Option<&'a str> {
    let mut best = None;
    for path in paths {
        for part in path.split(['/', ':']).chain([path.as_str()]) {
            let edits = misspelling(word, part);
            if edits.is_some_and(|edits| best.is_none_or(|(fewest, _)| edits < fewest)) {
                best = edits.map(|edits| (edits, path.as_str()));
            }
        }
    }
    best.map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RowId;

    fn parse(arguments: &str) -> Result<CliArguments, String> {
        CliArguments::parse(arguments.split_whitespace().map(str::to_owned))
    }

    fn named(path: &str) -> BenchmarkSpec {
        let id = RowId { function: path.to_owned(), ..RowId::default() };
        BenchmarkSpec { id, ..BenchmarkSpec::default() }
    }

    #[test]
    fn groups_select_their_benchmarks_and_measure_ignored_ones() {
        let group = Some("slow walks".to_owned());
        let walk = BenchmarkSpec { group, ignored: true, ..named("walk") };
        let arguments = CliArguments { filters: vec!["slow walks".to_owned()], ..CliArguments::default() };
        assert!(arguments.selects(&walk) && arguments.measures(&walk));
        let part = CliArguments { filters: vec!["slow".to_owned()], ..CliArguments::default() };
        assert!(!part.selects(&walk) && !part.measures(&walk));
    }

    #[test]
    fn accepts_the_arguments_of_nextest_and_cargo() {
        let listed = parse("--list --format terse --ignored").unwrap();
        assert!(listed.list && listed.terse && listed.lists(true) && !listed.lists(false));
        let one = parse("a::b --exact --nocapture --bench").unwrap();
        assert!(one.bench && one.selects(&named("a::b")) && !one.selects(&named("a::bc")));
        assert!(parse("--format=terse").unwrap().terse);
    }

    #[test]
    fn filters_and_skips_are_parts_of_the_path() {
        let arguments = parse("sort hash --skip slow").unwrap();
        assert!(arguments.selects(&named("x::sort")) && arguments.selects(&named("hash::y")));
        assert!(!arguments.selects(&named("sort::slow")) && !arguments.selects(&named("other")));
        let selects =
            |arguments: &str| ["sort", "x::sort"].map(|path| parse(arguments).unwrap().selects(&named(path)));
        assert_eq!((selects("^sort|y"), selects("^sort --exact")), ([true, false], [false, false]));
        assert_eq!((selects("--skip x.*t$"), selects("(x)")), ([true, false], [false, false]));
    }

    #[test]
    fn filters_may_be_paths_of_other_libraries() {
        let row = RowId { modules: "m".into(), labels: vec!["u8".into()], ..named("f").id };
        let row = BenchmarkSpec { id: row, ..BenchmarkSpec::default() };
        let selects = |arguments: &str| parse(arguments).unwrap().selects(&row);
        assert!(selects("m::f::u8 --exact") && selects("m::f/u8 --exact") && selects("f::u"));
        assert!(!selects("f::u8 --exact") && !selects("--skip f::u"));
        assert!(!selects("--skip-exact m::f::u8") && selects("--skip-exact f::u8"));
    }

    #[test]
    fn ignored_benchmarks_are_measured_if_a_filter_names_them() {
        let measures = |arguments: &str, modules: &str, function: &str, labels: &[&str]| {
            let labels = labels.iter().map(|&label| label.to_owned()).collect();
            let id = RowId { modules: modules.into(), function: function.into(), labels, ..RowId::default() };
            let benchmark = BenchmarkSpec { id, ignored: true, ..BenchmarkSpec::default() };
            parse(arguments).unwrap().measures(&benchmark)
        };
        let is_measured = |word: &str| measures(word, "slow::deep", "walk", &["a::b"]);
        for word in ["slow::deep::walk/a::b", "walk/a::b", "walk", "deep", "slow", "deep::walk", "--ignored"]
        {
            assert!(is_measured(word), "{word}");
        }
        for word in ["", "wal", "b", "a::b", "low", "eep::walk"] {
            assert!(!is_measured(word), "{word}");
        }
        assert!(measures("slow", "", "slow", &[]) && !measures("other", "", "slow", &[]));
        assert!(!parse("walk").unwrap().runs(true), "but cargo test leaves them");
    }

    #[test]
    fn the_message_without_a_match_names_the_nearest_benchmark() {
        let benchmarks = ["a::sort/100", "concat"].map(named);
        let message = |arguments: &str| parse(arguments).unwrap().no_match_message(benchmarks.iter());
        assert!(message("srot").ends_with("did you mean `a::sort/100`?"), "{}", message("srot"));
        assert!(message("cnocat").ends_with("did you mean `concat`?"), "{}", message("cnocat"));
        assert_eq!(message("zzz"), "no benchmark of this target matches\n  list all: add --list");
        assert!(message("(s|c)ort").ends_with("cargo nanobench '/(s|c)ort/'"), "{}", message("(s|c)ort"));
        assert!(message("sort").contains("are marked #[ignore]: name one"));
        assert!(message("--ignored").contains("omit --ignored"));
    }

    #[test]
    fn unsupported_formats_are_errors() {
        assert!(parse("--format json").unwrap_err().ends_with("cargo nanobench --format json"));
        assert!(parse("--format=junit").unwrap_err().contains("`pretty` or `terse`"));
        assert!(!parse("--format pretty").unwrap().terse);
    }

    #[test]
    fn unknown_options_are_errors() {
        assert_eq!(parse("--save-baseline main"), Err("unknown option `--save-baseline`".into()));
        assert_eq!(parse("--skip"), Err("`--skip` needs a value".into()));
    }
}
