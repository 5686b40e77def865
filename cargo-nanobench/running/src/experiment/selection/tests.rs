//! Benchmarks that filters select.

use super::*;
use nanobench::model::{CacheState, RunConditions};
use project::fixtures::id;

fn benchmark(text: &str, ignored: bool) -> Benchmark {
    let BenchmarkId { target, row } = id(text);
    let tags = text.contains("sort").then(|| vec!["sorting".to_owned()]);
    Benchmark::new(&target, 0, &BenchmarkSpec { id: row, tags, ignored, ..BenchmarkSpec::default() })
}

fn ids(filter: &Filter) -> Result<Vec<String>, NoMatch> {
    let all = [
        benchmark("a::first::sort", false),
        benchmark("a::first::sort_unstable", false),
        benchmark("a::second::hash::short", false),
        benchmark("b::first::slow", true),
    ];
    filter.select(&all).map(|selected| selected.into_iter().map(|selected| selected.id.to_string()).collect())
}

fn some(words: &[&str]) -> Vec<Pattern> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}

#[test]
fn without_filters_all_but_ignored_benchmarks_run() {
    assert_eq!(ids(&Filter::default()).unwrap().len(), 3);
    assert_eq!(ids(&Filter { ignored: true, ..Filter::default() }).unwrap(), ["b::first::slow"]);
    assert_eq!(ids(&Filter { include_ignored: true, ..Filter::default() }).unwrap().len(), 4);
}

#[test]
fn filters_that_match_nothing_are_known() {
    let all = [benchmark("a::first::sort", false), benchmark("b::first::slow", true)];
    let filter = Filter { filters: some(&["sort", "SLOW", "slow", "compare"]), ..Filter::default() };
    let unmatched = |filter: &Filter| {
        filter.unmatched(&all).into_iter().map(|it| it.text().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(unmatched(&filter), ["SLOW", "compare"]);
    assert_eq!(unmatched(&Filter { ignores_case: true, ..filter.clone() }), ["compare"]);
    assert_eq!(unmatched(&Filter { exact: true, ..filter }).len(), 4);
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
fn case_is_ignored_on_request() {
    let upper = Filter { filters: some(&["SORT_un"]), ..Filter::default() };
    assert!(ids(&upper).is_err());
    assert_eq!(ids(&Filter { ignores_case: true, ..upper }).unwrap(), ["a::first::sort_unstable"]);
}

#[test]
fn an_exact_id_selects_all_of_its_rows() {
    let row = |text: &str, cache, threads: Option<u64>| {
        let mut row = benchmark(text, false);
        let wipe_size = threads.map(|threads| threads << 10);
        row.id.row.conditions = RunConditions { cache, wipe_size, threads };
        row
    };
    let all = [
        benchmark("a::first::walk", false),
        row("a::first::walk", CacheState::Cold, None),
        row("a::first::walk", CacheState::Cold, Some(2)),
        row("a::first::sort/10", CacheState::Warm, Some(1)),
        row("a::first::sort/10", CacheState::Cold, Some(2)),
        benchmark("a::first::sort/100", false),
        benchmark("a::first::sort/10/cold", false),
    ];
    let exact = |id: &str| {
        let filter = Filter { filters: some(&[id]), exact: true, ..Filter::default() };
        filter.select(&all).map_or(0, |selected| selected.len())
    };
    assert_eq!((exact("a::first::walk"), exact("a::first::walk/cold")), (3, 1));
    assert_eq!((exact("a::first::sort"), exact("a::first::sort/10")), (4, 2));
    assert_eq!(exact("a::first::sort/10/cold 2 KiB/threads=2"), 1);
    assert_eq!(exact("a::first::sort/1"), 0);
}

fn target(name: &str) -> BenchFilter {
    BenchFilter::Target(glob::Pattern::new(name).unwrap())
}

#[test]
fn bench_names_a_target_or_a_part() {
    let of = |bench: &[BenchFilter]| ids(&Filter { bench: bench.to_vec(), ..Filter::default() });
    let part = |part: &str| BenchFilter::Part(part.to_owned());
    assert_eq!(of(&[target("second")]).unwrap(), ["a::second::hash::short"]);
    assert_eq!(of(&[target("*st")]).unwrap().len(), 2, "wildcards match whole names");
    assert_eq!(of(&[part("unstable")]).unwrap(), ["a::first::sort_unstable"]);
    assert_eq!(of(&[target("second"), part("unstable")]).unwrap().len(), 2, "one has to match");
    assert!(of(&[target("secon")]).unwrap_err().to_string().contains("a::second::hash::short"));
}

#[test]
fn no_match_suggests_similar_names() {
    let error = ids(&Filter { filters: some(&["srot"]), ..Filter::default() }).unwrap_err().to_string();
    assert!(error.contains("a::first::sort"), "{error}");
    let error = ids(&Filter { filters: some(&["slo"]), ..Filter::default() }).unwrap_err().to_string();
    assert!(error.contains("--include-ignored"), "{error}");
}

#[test]
fn tags_select_and_leave_out() {
    let tagged = Filter { filters: some(&["tag:sorting", "tag:other"]), ..Filter::default() };
    assert_eq!(ids(&tagged).unwrap(), ["a::first::sort", "a::first::sort_unstable"]);
    let rest = Filter { skip: some(&["tag:sorting"]), ..Filter::default() };
    assert_eq!(ids(&rest).unwrap(), ["a::second::hash::short"]);
    let both = Filter { filters: some(&["tag:sorting", "unstable"]), ..Filter::default() };
    assert_eq!(ids(&both).unwrap(), ["a::first::sort_unstable"]);
}

#[test]
fn patterns_are_expressions_and_globs() {
    let of =
        |pattern: &str| ids(&Filter { filters: some(&[pattern]), ..Filter::default() }).unwrap_or_default();
    assert_eq!(of("/sort$/"), ["a::first::sort"]);
    assert_eq!(of("/^a::(second|first::sort_)/").len(), 2);
    assert_eq!(of("glob:*::sort*").len(), 2);
    assert_eq!(of("glob:sort"), [""; 0], "a glob is a whole id");
    assert_eq!(of("glob::sort"), [""; 0], "a path");
    let skip = Filter { skip: some(&["/sort/"]), ..Filter::default() };
    assert_eq!(ids(&skip).unwrap(), ["a::second::hash::short"]);
    assert!("/(/".parse::<Pattern>().is_err() && "glob:[".parse::<Pattern>().is_err());
    assert!(
        ["/", "//", "[", "tag::a"].iter().all(|text| text.parse::<Pattern>().unwrap().as_part().is_some())
    );
}

#[test]
fn an_unknown_tag_lists_the_existing_tags() {
    let error = |filter: Filter| ids(&filter).unwrap_err().to_string();
    let nope = Filter { filters: some(&["tag:nope"]), ..Filter::default() };
    assert!(error(nope.clone()).ends_with("\nthe tags are: sorting"), "{}", error(nope));
    let elsewhere = Filter { filters: some(&["tag:sorting", "second"]), ..Filter::default() };
    let error = error(elsewhere);
    assert!(error.contains("all matching benchmarks are excluded by tag:sorting: a flag, or"), "{error}");
    let untagged =
        Filter { filters: some(&["tag:nope"]), ..Filter::default() }.select(&[benchmark("a::b::c", false)]);
    assert!(untagged.unwrap_err().to_string().ends_with("no benchmark has a tag"));
}

#[test]
fn ignored_benchmarks_run_if_named() {
    let all = [benchmark("a::first::slow::deep::walk/100", true), benchmark("a::first::slow::quick", false)];
    let runs = |word: &str| {
        let filter = Filter { filters: some(&[word]), ..Filter::default() };
        filter.select(&all).is_ok_and(|selected| selected.iter().any(|selected| selected.spec.ignored))
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
fn a_named_group_runs_with_its_ignored_benchmarks() {
    let mut grouped = benchmark("a::first::walk", true);
    grouped.spec.group = Some("sl/ow".to_owned());
    let runs = |word: &str| {
        let filter = Filter { filters: some(&[word]), ..Filter::default() };
        filter.select(std::slice::from_ref(&grouped)).is_ok()
    };
    assert!(runs("sl/ow") && !runs("sl") && !runs("first"));
    assert!(runs("first::sl/ow") && runs("a::first::sl/ow"), "as the headings have it");
    assert!(!runs("firstsl/ow") && !runs("b::first::sl/ow"));
}
