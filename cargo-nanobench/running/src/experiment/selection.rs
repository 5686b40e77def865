//! Selection of the benchmarks to run, by filters over their ids.

use super::pattern::Pattern;
use super::suite::Benchmark;
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Kind;
use crate::suggest;
use glob::Pattern as Glob;
use nanobench::model::BenchmarkSpec;
use nanobench::report::{counted, escape};
use std::collections::BTreeSet;
use std::fmt;

/// The filters of a run. The default selects all benchmarks that are not ignored.
#[derive(Debug, Default, Clone)]
pub struct Filter {
    /// One of those for ids has to match, and one of those for tags.
    pub filters: Vec<Pattern>,
    /// The values of `--bench`. One of them has to match.
    pub bench: Vec<BenchFilter>,
    /// A benchmark that matches any of them is not selected.
    pub skip: Vec<Pattern>,
    /// `filters` and `skip` have to match the whole id.
    pub exact: bool,
    /// Parts of ids match in upper and lower case.
    pub ignores_case: bool,
    /// Select only benchmarks marked `#[ignore]`.
    pub ignored: bool,
    /// Select benchmarks marked `#[ignore]`, too.
    pub include_ignored: bool,
}

/// A value of `--bench`.
#[derive(Debug, Clone)]
pub enum BenchFilter {
    /// The name of a bench target, which may contain wildcards.
    Target(Glob),
    /// A part of an id.
    Part(String),
}

impl BenchFilter {
    fn matches(&self, id: &BenchmarkId) -> bool {
        match self {
            BenchFilter::Target(name) => id.target.kind == Kind::Bench && name.matches(&id.target.name),
            BenchFilter::Part(part) => id.to_string().contains(part.as_str()),
        }
    }

    /// Returns the text that the user typed.
    pub fn text(&self) -> &str {
        match self {
            BenchFilter::Target(name) => name.as_str(),
            BenchFilter::Part(part) => part,
        }
    }
}

/// The error for a filter that selects no benchmark.
#[derive(Debug, thiserror::Error)]
#[error("of {all}, none is selected{reason}")]
pub struct NoMatch {
    all: String,
    reason: NoMatchReason,
}

impl NoMatch {
    /// Returns the error without similar names, for filters that were not meant as such.
    pub fn without_similar(mut self) -> NoMatch {
        if let NoMatchReason::Similar(names) = &mut self.reason {
            names.clear();
        }
        self
    }
}

/// The reason why no benchmark is selected.
#[derive(Debug)]
enum NoMatchReason {
    /// All matching benchmarks are marked `#[ignore]`. Holds their ids.
    OnlyIgnored(Vec<String>),
    /// `--ignored` was given, and no matching benchmark is marked `#[ignore]`.
    NoneIgnored,
    /// No benchmark has any of the requested tags. Holds all tags.
    UnknownTag(Vec<String>),
    /// The filters match benchmarks that other options exclude. Holds these options.
    Excluded(Vec<String>),
    /// The filters match no id and no group. Holds similar ones.
    Similar(Vec<String>),
}

impl fmt::Display for NoMatchReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indented = |ids: &[String]| ids.iter().map(|id| format!("\n  {id}")).collect::<String>();
        match self {
            NoMatchReason::OnlyIgnored(ids) => {
                let ids = indented(&ids[..ids.len().min(3)]);
                write!(
                    f,
                    "\nall matching benchmarks are marked #[ignore]: name one, or add --include-ignored{ids}"
                )
            }
            NoMatchReason::NoneIgnored => {
                write!(f, "\nno matching benchmark is marked #[ignore]: omit --ignored")
            }
            NoMatchReason::UnknownTag(tags) if tags.is_empty() => write!(f, "\nno benchmark has a tag"),
            NoMatchReason::UnknownTag(tags) => write!(f, "\nthe tags are: {}", escape(&tags.join(", "))),
            NoMatchReason::Excluded(options) => {
                let options = escape(&options.join(", "));
                write!(
                    f,
                    "\nall matching benchmarks are excluded by {options}: a flag, or a key of .config/nanobench.toml"
                )
            }
            NoMatchReason::Similar(ids) => {
                let hint = if ids.is_empty() { "" } else { "\ndid you mean:" };
                write!(f, "{hint}{}\nrun `cargo nanobench --list` to see all benchmarks", indented(ids))
            }
        }
    }
}

impl Filter {
    /// Returns the selected benchmarks, in order.
    pub fn select(&self, all: &[Benchmark]) -> Result<Vec<Benchmark>, NoMatch> {
        let named: Vec<&Benchmark> =
            all.iter().filter(|benchmark| self.names(&benchmark.id, &benchmark.spec)).collect();
        let selected: Vec<Benchmark> = named
            .iter()
            .filter(|benchmark| self.runs(benchmark))
            .map(|&benchmark| benchmark.clone())
            .collect();
        if selected.is_empty() {
            let reason = self.no_match_reason(all, &named);
            return Err(NoMatch { all: counted(all.len(), "benchmark"), reason });
        }
        Ok(selected)
    }

    /// Returns the filters that match the id or group of no benchmark.
    pub fn unmatched(&self, all: &[Benchmark]) -> Vec<&Pattern> {
        let alone = |filter: &Pattern| Filter {
            filters: vec![filter.clone()],
            exact: self.exact,
            ignores_case: self.ignores_case,
            ..Filter::default()
        };
        let matches_any =
            |filter: &Filter| all.iter().any(|benchmark| filter.names(&benchmark.id, &benchmark.spec));
        self.filters.iter().filter(|&filter| !matches_any(&alone(filter))).collect()
    }

    /// Returns the reason why no benchmark runs. `named`: the benchmarks that match by name and
    /// tags.
    fn no_match_reason(&self, all: &[Benchmark], named: &[&Benchmark]) -> NoMatchReason {
        if !named.is_empty() {
            let ids = || named.iter().map(|benchmark| benchmark.id.to_string()).collect();
            return if self.ignored { NoMatchReason::NoneIgnored } else { NoMatchReason::OnlyIgnored(ids()) };
        }
        let tags: BTreeSet<&str> = all
            .iter()
            .flat_map(|benchmark| benchmark.spec.tags.iter().flatten())
            .map(String::as_str)
            .collect();
        let mut requested = self.filters.iter().filter_map(Pattern::as_tag).peekable();
        if requested.peek().is_some() && requested.all(|tag| !tags.contains(tag)) {
            return NoMatchReason::UnknownTag(tags.into_iter().map(str::to_owned).collect());
        }
        let (tags, others): (Vec<Pattern>, _) =
            self.filters.iter().cloned().partition(|filter| filter.as_tag().is_some());
        let filters_only = Filter { skip: Vec::new(), filters: others, ..self.clone() };
        if all.iter().any(|benchmark| filters_only.names(&benchmark.id, &benchmark.spec)) {
            let skips = self.skip.iter().map(|pattern| format!("--skip \"{}\"", pattern.text()));
            let tags = tags.iter().map(|tag| tag.text().to_owned());
            return NoMatchReason::Excluded(skips.chain(tags).collect());
        }
        let patterns = self.filters.iter().filter_map(Pattern::as_part);
        let patterns = patterns.chain(self.bench.iter().map(BenchFilter::text));
        let ids = all.iter().map(|benchmark| benchmark.id.to_string());
        let groups: BTreeSet<&String> =
            all.iter().filter_map(|benchmark| benchmark.spec.group.as_ref()).collect();
        let names: Vec<String> = ids.chain(groups.into_iter().cloned()).collect();
        let similar =
            patterns.flat_map(|pattern| suggest::nearest(pattern, names.iter().map(String::as_str)));
        NoMatchReason::Similar(similar.map(str::to_owned).collect())
    }

    /// Returns whether the filter selects a benchmark by its name, group and tags.
    pub fn names(&self, id: &BenchmarkId, benchmark: &BenchmarkSpec) -> bool {
        let matches = |pattern: &Pattern| pattern.matches(id, benchmark, self.exact, self.ignores_case);
        let passes = |filter: &Pattern| matches(filter) || filter.names_group_of(id, benchmark);
        let one_passes = |are_tags: bool| {
            let of_kind = || self.filters.iter().filter(|filter| filter.as_tag().is_some() == are_tags);
            of_kind().next().is_none() || of_kind().any(passes)
        };
        one_passes(false)
            && one_passes(true)
            && (self.bench.is_empty() || self.bench.iter().any(|bench| bench.matches(id)))
            && !self.skip.iter().any(matches)
    }

    pub(super) fn selects(&self, benchmark: &Benchmark) -> bool {
        self.names(&benchmark.id, &benchmark.spec) && self.runs(benchmark)
    }

    fn runs(&self, benchmark: &Benchmark) -> bool {
        if benchmark.spec.ignored {
            self.ignored
                || self.include_ignored
                || self.filters.iter().filter_map(Pattern::as_part).any(|part| is_named(benchmark, part))
        } else {
            !self.ignored
        }
    }
}

/// Returns whether a pattern is the id of a benchmark, of its function, or of its row under any
/// conditions.
pub(super) fn is_id_of(pattern: &str, id: &BenchmarkId) -> bool {
    [id.to_string(), id.function().to_string(), id.without_conditions().to_string()]
        .contains(&pattern.to_owned())
}

/// Returns whether `word` is the group of a benchmark, alone or as headings have it: `first::sorting`.
pub(super) fn is_group(word: &str, id: &BenchmarkId, benchmark: &BenchmarkSpec) -> bool {
    let Some(group) = &benchmark.group else { return false };
    [None, Some(id.target.within_package()), Some(id.target.to_string())].into_iter().any(|target| {
        let rest = target.map_or(Some(word), |target| word.strip_prefix(&target)?.strip_prefix("::"));
        rest == Some(group)
    })
}

/// Returns whether `word` names a benchmark, its function, its group or a module around it. Package
/// and target alone don't count.
fn is_named(benchmark: &Benchmark, word: &str) -> bool {
    let BenchmarkId { target, row } = &benchmark.id;
    is_group(word, &benchmark.id, &benchmark.spec) || row.is_named(&target.to_string(), word)
}

#[cfg(test)]
mod tests;
