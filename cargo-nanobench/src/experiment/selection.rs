//! Which benchmarks run: filters over their ids.

use super::Found;
use crate::suggest;

/// What is asked for. Without anything, all that is not ignored.
#[derive(Debug, Default, Clone)]
pub(crate) struct Filter {
    /// Parts of ids, one of which has to match.
    pub(crate) filters: Vec<String>,
    /// Names of bench targets or parts of ids, one of which has to match.
    pub(crate) bench: Vec<String>,
    /// Parts of ids none of which may match.
    pub(crate) skip: Vec<String>,
    /// `filters` and `skip` are whole ids.
    pub(crate) exact: bool,
    /// Only those marked `#[ignore]`.
    pub(crate) ignored: bool,
    /// Those marked `#[ignore]` too.
    pub(crate) include_ignored: bool,
}

/// Nothing is left of all the benchmarks.
#[derive(Debug, thiserror::Error)]
#[error("none of the {all} is selected{}", self.explain())]
pub(crate) struct NoMatch {
    all: String,
    /// Ids that are near to what was asked for.
    near: Vec<String>,
    /// Some would have matched but are marked `#[ignore]`.
    only_ignored: bool,
    /// Only those marked `#[ignore]` were asked for, and what matches is not.
    none_ignored: bool,
}

impl NoMatch {
    fn explain(&self) -> String {
        if self.only_ignored {
            return "\nwhat matches is marked #[ignore]: add --include-ignored".to_owned();
        }
        if self.none_ignored {
            return "\nwhat matches is not marked #[ignore]: leave --ignored out".to_owned();
        }
        let near: String = self.near.iter().map(|id| format!("\n  {id}")).collect();
        let near = if near.is_empty() { near } else { format!("\ndid you mean:{near}") };
        near + "\nall of them: cargo nanobench --list"
    }
}

impl Filter {
    /// The benchmarks that are asked for, in order.
    pub(crate) fn select(&self, all: &[Found]) -> Result<Vec<Found>, NoMatch> {
        let named: Vec<&Found> = all.iter().filter(|found| self.names(&found.id, &found.group)).collect();
        let selected: Vec<Found> =
            named.iter().filter(|found| self.runs(found)).map(|&found| found.clone()).collect();
        if selected.is_empty() {
            let wanted = self.filters.iter().chain(&self.bench);
            let ids = || all.iter().map(|found| found.id.as_str());
            let near = wanted.flat_map(|wanted| suggest::nearest(wanted, ids())).map(str::to_owned).collect();
            let all = nanobench::report::counted(all.len(), "benchmark");
            let matched = !named.is_empty();
            return Err(NoMatch {
                all,
                near,
                only_ignored: matched && !self.ignored,
                none_ignored: matched && self.ignored,
            });
        }
        Ok(selected)
    }

    /// Whether a benchmark of this id, which stands in this group of its package, is asked for by name.
    pub(crate) fn names(&self, id: &str, group: &str) -> bool {
        let matches =
            |pattern: &String| if self.exact { id == pattern } else { id.contains(pattern.as_str()) };
        let target = group.split("::").next().unwrap_or_default();
        let of_bench = |name: &String| target == name || id.contains(name.as_str());
        (self.filters.is_empty() || self.filters.iter().any(matches))
            && (self.bench.is_empty() || self.bench.iter().any(of_bench))
            && !self.skip.iter().any(matches)
    }

    fn runs(&self, found: &Found) -> bool {
        self.include_ignored || found.benchmark.ignored == self.ignored
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::Benchmark;

    fn found(id: &str, ignored: bool) -> Found {
        let (package, within) = id.split_once("::").unwrap();
        let (group, name) = within.rsplit_once("::").unwrap();
        let benchmark = Benchmark {
            path: name.into(),
            description: String::new(),
            file: "benches/first.rs".into(),
            line: 1,
            ignored,
            counted: false,
            unroll: 1,
            ..Benchmark::default()
        };
        let (package, group, name) = (package.into(), group.into(), name.into());
        Found { id: id.into(), package, group, name, harness: 0, index: 0, benchmark }
    }

    fn ids(filter: &Filter) -> Result<Vec<String>, NoMatch> {
        let all = [
            found("a::first::sort", false),
            found("a::first::sort_unstable", false),
            found("a::second::hash::short", false),
            found("b::first::slow", true),
        ];
        filter.select(&all).map(|selected| selected.into_iter().map(|found| found.id).collect())
    }

    fn some(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn without_anything_all_but_the_ignored() {
        assert_eq!(ids(&Filter::default()).unwrap().len(), 3);
        assert_eq!(ids(&Filter { ignored: true, ..Filter::default() }).unwrap(), ["b::first::slow"]);
        assert_eq!(ids(&Filter { include_ignored: true, ..Filter::default() }).unwrap().len(), 4);
    }

    #[test]
    fn filters_are_parts_or_wholes() {
        let sort = Filter { filters: some(&["sort"]), ..Filter::default() };
        assert_eq!(ids(&sort).unwrap(), ["a::first::sort", "a::first::sort_unstable"]);
        let exact = Filter { filters: some(&["a::first::sort"]), exact: true, ..Filter::default() };
        assert_eq!(ids(&exact).unwrap(), ["a::first::sort"]);
        let skip = Filter { skip: some(&["unstable", "second"]), ..Filter::default() };
        assert_eq!(ids(&skip).unwrap(), ["a::first::sort"]);
    }

    #[test]
    fn bench_names_a_target_or_a_part() {
        let bench = Filter { bench: some(&["second", "unstable"]), ..Filter::default() };
        assert_eq!(ids(&bench).unwrap(), ["a::first::sort_unstable", "a::second::hash::short"]);
    }

    #[test]
    fn no_match_names_what_is_near() {
        let error = ids(&Filter { filters: some(&["srot"]), ..Filter::default() }).unwrap_err().to_string();
        assert!(error.contains("a::first::sort"), "{error}");
        let error = ids(&Filter { filters: some(&["slow"]), ..Filter::default() }).unwrap_err().to_string();
        assert!(error.contains("--include-ignored"), "{error}");
    }
}
