//! Selection of the benchmarks to run, by filters over their ids.

use super::suite::Benchmark;
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Kind;
use crate::suggest;
use glob::Pattern;
use nanobench::model::BenchmarkSpec;
use nanobench::report::{counted, escape};
use std::collections::BTreeSet;
use std::fmt;

/// The filters of a run. The default selects all benchmarks that are not ignored.
#[derive(Debug, Default, Clone)]
pub struct Filter {
    /// Parts of ids. One of them has to match.
    pub filters: Vec<String>,
    /// The values of `--bench`. One of them has to match.
    pub bench: Vec<BenchFilter>,
    /// Parts of ids. A benchmark that matches any of them is not selected.
    pub skip: Vec<String>,
    /// Tags. A benchmark has to have one of them.
    pub tags: Vec<String>,
    /// Tags. A benchmark with any of them is not selected.
    pub skip_tags: Vec<String>,
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
    Target(Pattern),
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
    pub fn unmatched(&self, all: &[Benchmark]) -> Vec<&str> {
        let alone = |filter: &String| Filter {
            filters: vec![filter.clone()],
            exact: self.exact,
            ignores_case: self.ignores_case,
            ..Filter::default()
        };
        let matches_any =
            |filter: &Filter| all.iter().any(|benchmark| filter.names(&benchmark.id, &benchmark.spec));
        let unmatched = self.filters.iter().filter(|&filter| !matches_any(&alone(filter)));
        unmatched.map(String::as_str).collect()
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
        if !self.tags.is_empty() && self.tags.iter().all(|tag| !tags.contains(tag.as_str())) {
            return NoMatchReason::UnknownTag(tags.into_iter().map(str::to_owned).collect());
        }
        let filters_only =
            Filter { skip: Vec::new(), tags: Vec::new(), skip_tags: Vec::new(), ..self.clone() };
        if all.iter().any(|benchmark| filters_only.names(&benchmark.id, &benchmark.spec)) {
            let flags = [("--skip", &self.skip), ("--tag", &self.tags), ("--skip-tag", &self.skip_tags)];
            let flags = flags.iter().flat_map(|(flag, values)| values.iter().map(move |value| (flag, value)));
            return NoMatchReason::Excluded(
                flags.map(|(flag, value)| format!("{flag} \"{value}\"")).collect(),
            );
        }
        let patterns = self.filters.iter().map(String::as_str);
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
        let matches = |pattern: &String| match (self.exact, self.ignores_case) {
            (true, _) => is_id_of(pattern, id),
            (false, true) => id.to_string().to_lowercase().contains(&pattern.to_lowercase()),
            (false, false) => id.to_string().contains(pattern.as_str()),
        };
        let passes = |filter: &String| matches(filter) || is_group(filter, id, benchmark);
        let has_tag = |tag: &String| benchmark.tags.iter().flatten().any(|own| own == tag);
        (self.filters.is_empty() || self.filters.iter().any(passes))
            && (self.bench.is_empty() || self.bench.iter().any(|bench| bench.matches(id)))
            && (self.tags.is_empty() || self.tags.iter().any(has_tag))
            && !self.skip.iter().any(matches)
            && !self.skip_tags.iter().any(has_tag)
    }

    pub(super) fn selects(&self, benchmark: &Benchmark) -> bool {
        self.names(&benchmark.id, &benchmark.spec) && self.runs(benchmark)
    }

    fn runs(&self, benchmark: &Benchmark) -> bool {
        if benchmark.spec.ignored {
            self.ignored
                || self.include_ignored
                || self.filters.iter().any(|filter| is_named(benchmark, filter))
        } else {
            !self.ignored
        }
    }
}

/// Returns whether a pattern is the id of a benchmark, of its function, or of its row under any
/// conditions.
fn is_id_of(pattern: &str, id: &BenchmarkId) -> bool {
    [id.to_string(), id.function().to_string(), id.without_conditions().to_string()]
        .contains(&pattern.to_owned())
}

/// Returns whether `word` is the group of a benchmark, alone or as headings have it: `first::sorting`.
fn is_group(word: &str, id: &BenchmarkId, benchmark: &BenchmarkSpec) -> bool {
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
