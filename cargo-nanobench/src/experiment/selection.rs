//! Which benchmarks run: filters over their ids.

use super::suite::Benchmark;
use crate::benchmark_id::BenchmarkId;
use crate::suggest;
use nanobench::model::BenchmarkSpec;
use nanobench::report::escape;
use std::collections::BTreeSet;
use std::fmt;

/// So many ids are named in an error.
const SHOWN: usize = 3;

/// What is asked for. Without anything, all that is not ignored.
#[derive(Debug, Default, Clone)]
pub(crate) struct Filter {
    /// Parts of ids, one of which has to match.
    pub(crate) filters: Vec<String>,
    /// Names of bench targets or parts of ids, one of which has to match.
    pub(crate) bench: Vec<String>,
    /// Parts of ids none of which may match.
    pub(crate) skip: Vec<String>,
    /// Tags one of which it has to have.
    pub(crate) tags: Vec<String>,
    /// Tags none of which it may have.
    pub(crate) skip_tags: Vec<String>,
    /// `filters` and `skip` are whole ids.
    pub(crate) exact: bool,
    /// Only those marked `#[ignore]`.
    pub(crate) ignored: bool,
    /// Those marked `#[ignore]` too.
    pub(crate) include_ignored: bool,
}

/// Nothing is left of all the benchmarks.
#[derive(Debug, thiserror::Error)]
#[error("none of the {all} is selected{why}")]
pub(crate) struct NoMatch {
    all: String,
    why: Nothing,
}

/// Why nothing is left.
#[derive(Debug)]
enum Nothing {
    /// What matches is marked `#[ignore]`: these ids.
    OnlyIgnored(Vec<String>),
    /// Only those marked `#[ignore]` were asked for, and what matches is not.
    NoneIgnored,
    /// Tags were asked for that no benchmark has: all that there are.
    NoSuchTag(Vec<String>),
    /// What the filters match is left out by these.
    LeftOut(Vec<String>),
    /// Nothing matches. Ids that are near to what was asked for.
    Near(Vec<String>),
}

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indented = |ids: &[String]| ids.iter().map(|id| format!("\n  {id}")).collect::<String>();
        match self {
            Nothing::OnlyIgnored(ids) => {
                let ids = indented(&ids[..ids.len().min(SHOWN)]);
                write!(f, "\nwhat matches is marked #[ignore]: name it, or add --include-ignored{ids}")
            }
            Nothing::NoneIgnored => write!(f, "\nwhat matches is not marked #[ignore]: leave --ignored out"),
            Nothing::NoSuchTag(tags) if tags.is_empty() => write!(f, "\nno benchmark has a tag"),
            Nothing::NoSuchTag(tags) => write!(f, "\nthese are the tags: {}", escape(&tags.join(", "))),
            Nothing::LeftOut(by) => {
                let by = escape(&by.join(", "));
                write!(f, "\nwhat matches is left out by {by}: a flag, or a key of .config/nanobench.toml")
            }
            Nothing::Near(ids) => {
                let near = if ids.is_empty() { "" } else { "\ndid you mean:" };
                write!(f, "{near}{}\nall of them: cargo nanobench --list", indented(ids))
            }
        }
    }
}

impl Filter {
    /// The benchmarks that are asked for, in order.
    pub(crate) fn select(&self, all: &[Benchmark]) -> Result<Vec<Benchmark>, NoMatch> {
        let named: Vec<&Benchmark> =
            all.iter().filter(|found| self.names(&found.id, &found.benchmark)).collect();
        let selected: Vec<Benchmark> =
            named.iter().filter(|found| self.runs(found)).map(|&found| found.clone()).collect();
        if selected.is_empty() {
            return Err(self.no_match(all, &named));
        }
        Ok(selected)
    }

    fn no_match(&self, all: &[Benchmark], named: &[&Benchmark]) -> NoMatch {
        NoMatch { all: nanobench::report::counted(all.len(), "benchmark"), why: self.nothing(all, named) }
    }

    /// Why none of those that are `named` runs, or none is named.
    fn nothing(&self, all: &[Benchmark], named: &[&Benchmark]) -> Nothing {
        if !named.is_empty() {
            let ids = || named.iter().map(|found| found.id.to_string()).collect();
            return if self.ignored { Nothing::NoneIgnored } else { Nothing::OnlyIgnored(ids()) };
        }
        let tags: BTreeSet<&str> =
            all.iter().flat_map(|found| found.benchmark.tags.iter().flatten()).map(String::as_str).collect();
        if !self.tags.is_empty() && self.tags.iter().all(|tag| !tags.contains(tag.as_str())) {
            return Nothing::NoSuchTag(tags.into_iter().map(str::to_owned).collect());
        }
        let by_filters = Filter { skip: Vec::new(), tags: Vec::new(), skip_tags: Vec::new(), ..self.clone() };
        if all.iter().any(|found| by_filters.names(&found.id, &found.benchmark)) {
            let flags = [("--skip", &self.skip), ("--tag", &self.tags), ("--skip-tag", &self.skip_tags)];
            let flags = flags.iter().flat_map(|(flag, values)| values.iter().map(move |value| (flag, value)));
            return Nothing::LeftOut(flags.map(|(flag, value)| format!("{flag} \"{value}\"")).collect());
        }
        let wanted = self.filters.iter().chain(&self.bench);
        let ids: Vec<String> = all.iter().map(|found| found.id.to_string()).collect();
        let near = wanted.flat_map(|wanted| suggest::nearest(wanted, ids.iter().map(String::as_str)));
        Nothing::Near(near.map(str::to_owned).collect())
    }

    /// Returns whether the filter selects a benchmark by its name, group and tags.
    pub(crate) fn names(&self, id: &BenchmarkId, benchmark: &BenchmarkSpec) -> bool {
        let text = id.to_string();
        let matches = |pattern: &String| {
            if self.exact { is_id_of(pattern, id) } else { text.contains(pattern.as_str()) }
        };
        let filters = |filter: &String| matches(filter) || benchmark.group.as_ref() == Some(filter);
        let of_bench = |name: &String| text.contains(name.as_str());
        let has = |tag: &String| benchmark.tags.iter().flatten().any(|own| own == tag);
        (self.filters.is_empty() || self.filters.iter().any(filters))
            && (self.bench.is_empty() || self.bench.iter().any(of_bench))
            && (self.tags.is_empty() || self.tags.iter().any(has))
            && !self.skip.iter().any(matches)
            && !self.skip_tags.iter().any(has)
    }

    fn selects(&self, found: &Benchmark) -> bool {
        self.names(&found.id, &found.benchmark) && self.runs(found)
    }

    fn runs(&self, found: &Benchmark) -> bool {
        if found.benchmark.ignored {
            self.ignored || self.include_ignored || self.filters.iter().any(|filter| is_named(found, filter))
        } else {
            !self.ignored
        }
    }
}

/// Returns whether a pattern is the id of a benchmark, of its function, or of its row under any conditions.
fn is_id_of(pattern: &str, id: &BenchmarkId) -> bool {
    [id.to_string(), id.function().to_string(), id.without_conditions().to_string()]
        .contains(&pattern.to_owned())
}

/// Returns whether `word` names a benchmark, its function or a module around it. Package and target alone don't.
fn is_named(found: &Benchmark, word: &str) -> bool {
    let id = format!("::{}::", found.id.function());
    // Here the path within the target begins.
    let path = "::".len() + found.id.target.to_string().len() + "::".len();
    let wanted = format!("::{word}::");
    let is_there = |(start, _): (usize, char)| {
        start + wanted.len() > path && id.get(start..).is_some_and(|rest| rest.starts_with(&wanted))
    };
    !word.is_empty() && (is_called(found, word) || id.char_indices().any(is_there))
}

/// Returns whether `word` is the id of a benchmark, or what follows a `::` of it and contains at least the name.
fn is_called(found: &Benchmark, word: &str) -> bool {
    let id = found.id.to_string();
    let before = id.strip_suffix(word).filter(|_| word.len() >= found.name().len());
    before.is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

/// A name that is not that of one benchmark.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotOne {
    #[error("no benchmark is called `{name}` (--scale-to)\n{hint}")]
    None { name: String, hint: String },
    #[error("several benchmarks are called `{name}` (--scale-to):{}", .ids.iter().map(|id| format!("\n{id}")).collect::<String>())]
    Several { name: String, ids: Vec<String> },
}

/// The benchmark that `name` is the id, the path or the name of: of several, the one that is selected.
pub(crate) fn one<'a>(all: &'a [Benchmark], filter: &Filter, name: &str) -> Result<&'a Benchmark, NotOne> {
    let called: Vec<&Benchmark> = all.iter().filter(|found| is_called(found, name)).collect();
    let selected: Vec<&Benchmark> = called.iter().filter(|found| filter.selects(found)).copied().collect();
    match (&called[..], &selected[..]) {
        (&[one], _) | (_, &[one]) => Ok(one),
        ([], _) => {
            let ids: Vec<String> = all.iter().map(|found| found.id.to_string()).collect();
            let hint = suggest::hint(name, ids.iter().map(String::as_str));
            Err(NotOne::None { name: name.to_owned(), hint })
        }
        _ => {
            let ids = called.iter().map(|found| found.id.to_string()).collect();
            Err(NotOne::Several { name: name.to_owned(), ids })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark_id::fixture::id;
    use nanobench::model::{CacheState, RunConditions};

    fn found(text: &str, ignored: bool) -> Benchmark {
        let BenchmarkId { target, row } = id(text);
        let tags = text.contains("sort").then(|| vec!["sorting".to_owned()]);
        Benchmark::new(&target, 0, &BenchmarkSpec { id: row, tags, ignored, ..BenchmarkSpec::default() })
    }

    fn ids(filter: &Filter) -> Result<Vec<String>, NoMatch> {
        let all = [
            found("a::first::sort", false),
            found("a::first::sort_unstable", false),
            found("a::second::hash::short", false),
            found("b::first::slow", true),
        ];
        filter.select(&all).map(|selected| selected.into_iter().map(|found| found.id.to_string()).collect())
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
    fn an_exact_id_stands_for_all_of_its_rows() {
        let row = |text: &str, cache, threads: Option<u64>| {
            let mut row = found(text, false);
            let wipe_size = threads.map(|threads| threads << 10);
            row.id.row.conditions = RunConditions { cache, wipe_size, threads };
            row
        };
        let all = [
            found("a::first::walk", false),
            row("a::first::walk", CacheState::Cold, None),
            row("a::first::walk", CacheState::Cold, Some(2)),
            row("a::first::sort/10", CacheState::Warm, Some(1)),
            row("a::first::sort/10", CacheState::Cold, Some(2)),
            found("a::first::sort/100", false),
            found("a::first::sort/10/cold", false),
        ];
        let exact = |id: &str| {
            let filter = Filter { filters: some(&[id]), exact: true, ..Filter::default() };
            filter.select(&all).map_or(0, |found| found.len())
        };
        assert_eq!((exact("a::first::walk"), exact("a::first::walk/cold")), (3, 1));
        assert_eq!((exact("a::first::sort"), exact("a::first::sort/10")), (4, 2));
        assert_eq!(exact("a::first::sort/10/cold 2 KiB/threads=2"), 1);
        assert_eq!(exact("a::first::sort/1"), 0);
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
        let error = ids(&Filter { filters: some(&["slo"]), ..Filter::default() }).unwrap_err().to_string();
        assert!(error.contains("--include-ignored"), "{error}");
    }

    #[test]
    fn tags_select_and_leave_out() {
        let tagged = Filter { tags: some(&["sorting", "other"]), ..Filter::default() };
        assert_eq!(ids(&tagged).unwrap(), ["a::first::sort", "a::first::sort_unstable"]);
        let rest = Filter { skip_tags: some(&["sorting"]), ..Filter::default() };
        assert_eq!(ids(&rest).unwrap(), ["a::second::hash::short"]);
    }

    #[test]
    fn a_tag_that_nothing_has_is_told_those_that_there_are() {
        let error = |filter: Filter| ids(&filter).unwrap_err().to_string();
        let nope = Filter { tags: some(&["nope"]), ..Filter::default() };
        assert!(error(nope.clone()).ends_with("\nthese are the tags: sorting"), "{}", error(nope));
        let elsewhere = Filter { tags: some(&["sorting"]), filters: some(&["second"]), ..Filter::default() };
        let error = error(elsewhere);
        assert!(error.contains("what matches is left out by --tag \"sorting\": a flag, or"), "{error}");
        let untagged =
            Filter { tags: some(&["nope"]), ..Filter::default() }.select(&[found("a::b::c", false)]);
        assert!(untagged.unwrap_err().to_string().ends_with("no benchmark has a tag"));
    }

    #[test]
    fn the_ignored_run_where_they_are_named() {
        let all = [found("a::first::slow::deep::walk/100", true), found("a::first::slow::quick", false)];
        let runs = |word: &str| {
            let filter = Filter { filters: some(&[word]), ..Filter::default() };
            filter.select(&all).is_ok_and(|found| found.iter().any(|found| found.benchmark.ignored))
        };
        for word in [
            "a::first::slow::deep::walk/100",
            "slow::deep::walk/100",
            "walk/100",
            "walk",
            "slow",
            "deep",
            "slow::deep",
        ] {
            assert!(runs(word), "{word}");
        }
        for word in ["a", "first", "a::first", "wal", "100", "dee", "low::deep", "", "::"] {
            assert!(!runs(word), "{word}");
        }
    }

    #[test]
    fn one_is_called_by_its_name() {
        let all = [
            found("a::first::x::sort/1", false),
            found("a::first::y::sort/1", false),
            found("b::c::d", true),
        ];
        let of_all = |name| one(&all, &Filter::default(), name);
        assert_eq!(of_all("d").unwrap().id.to_string(), "b::c::d", "whether it is selected or not");
        assert_eq!(of_all("x::sort/1").unwrap().id.to_string(), "a::first::x::sort/1");
        assert!(of_all("sort/1").unwrap_err().to_string().contains("\na::first::y::sort/1"));
        assert!(of_all("srot/1").unwrap_err().to_string().contains("did you mean"));
    }

    #[test]
    fn of_several_that_are_called_so_one_is_selected() {
        let all = [
            found("a::lib::sort", false),
            found("a::first::sort", false),
            found("a::second::sort", true),
            found("a::second::hash", false),
        ];
        let of_bench = |bench: &str| {
            let filter = Filter { bench: some(&[bench]), ..Filter::default() };
            one(&all, &filter, "sort").map(|found| found.id.to_string()).map_err(|error| error.to_string())
        };
        assert_eq!(of_bench("first"), Ok("a::first::sort".to_owned()));
        let none = of_bench("second").unwrap_err();
        assert!(none.starts_with("several") && none.ends_with("\na::second::sort"), "{none}");
        let hidden = Filter { bench: some(&["second"]), ignored: true, ..Filter::default() };
        assert_eq!(one(&all, &hidden, "sort").unwrap().id.to_string(), "a::second::sort");
    }
}
