//! The baselines of rows within a run.

use super::Row;
use crate::model::{BenchmarkSpec, RowId};
use crate::registry::Entry;
use crate::text::path_parts;
use std::ops::Range;

/// Sets the baseline of each of the rows `own` of a function, or the reason why it has none. `path`
/// is the source text of the baseline in `module`.
pub(super) fn resolve(
    entries: &[&'static Entry],
    rows: &mut [Row],
    own: Range<usize>,
    path: &str,
    module: &str,
) {
    let entry = find(entries, path, module);
    let mut others = Vec::new();
    for row in rows.iter().filter(|row| entry.is_some_and(|entry| std::ptr::eq(row.entry, entry))) {
        others.push(row.benchmark.clone());
    }
    for Row { benchmark, entry: own, .. } in &mut rows[own] {
        let problem = match entry {
            None => {
                format!("its baseline `{path}` is no benchmark of this target: mark it with `#[nanobench]`")
            }
            Some(entry) if !std::ptr::eq(entry, *own) => {
                match baseline_row(benchmark, &others, path) {
                    Ok(id) => benchmark.baseline = Some(id),
                    Err(reason) => benchmark.relation_error = Some(reason),
                }
                continue;
            }
            // The baseline of a group can be one of its functions.
            Some(entry) if entry.settings.baseline.is_none() => continue,
            Some(_) => format!("its baseline `{path}` is itself"),
        };
        // The row's own problem takes precedence.
        if benchmark.problem.is_none() {
            benchmark.problem = Some(problem);
        }
    }
}

/// Returns the row of the baseline's `others` that `own` is compared with, or the reason why there
/// is none. A slow baseline may have fewer cases than `own`.
fn baseline_row(own: &BenchmarkSpec, others: &[BenchmarkSpec], path: &str) -> Result<RowId, String> {
    let Some(other) = pair(&own.id, others) else {
        let mut few = String::new();
        for (index, other) in others.iter().take(3).enumerate() {
            few += if index > 0 { ", " } else { "" };
            few += &format!("`{}`", other.id);
        }
        let more = if others.len() > 3 { ", .." } else { "" };
        let case = own.id.case();
        let none = if case.is_empty() {
            "this benchmark has no case that matches one of them".to_owned()
        } else {
            format!("none of them is `{case}`")
        };
        return Err(format!("its baseline `{path}` has several rows ({few}{more}), and {none}"));
    };
    let per = other.unit.as_deref().unwrap_or("op");
    let own_per = own.unit.as_deref().unwrap_or("op");
    if per != own_per {
        return Err(format!(
            "its baseline `{path}` is measured per {per}, and this per {own_per}: give both the same `unit`"
        ));
    }
    Ok(other.id.clone())
}

/// Returns the function that `path` names in `module`, or else the only function whose path ends
/// with it: an imported function is written without its module.
fn find(entries: &[&'static Entry], path: &str, module: &str) -> Option<&'static Entry> {
    let written = path_parts(path);
    let target = absolute(&written, module);
    let mut end = &*written;
    while end.first().is_some_and(|part| is_relative(part)) {
        end = &end[1..];
    }
    let (mut found, mut number) = (None, 0);
    for entry in entries {
        let place = absolute(&path_parts(entry.function), entry.module_path);
        if place == target {
            return Some(entry);
        }
        if place.ends_with(end) {
            (found, number) = (Some(*entry), number + 1);
        }
    }
    found.filter(|_| number == 1)
}

/// Returns the parts of the path from the crate's root.
fn absolute<'a>(path: &[&'a str], module: &'a str) -> Vec<&'a str> {
    let mut absolute = path_parts(module);
    for &part in path {
        match part {
            "crate" => absolute.truncate(1),
            "super" => drop(absolute.pop()),
            "self" => {}
            part => absolute.push(part),
        }
    }
    absolute
}

fn is_relative(part: &str) -> bool {
    matches!(part, "crate" | "super" | "self")
}

/// Returns the row that `own` is compared with: the row of the same case, or else the only row with
/// the same run conditions, or else the only one.
fn pair<'a>(own: &RowId, others: &'a [BenchmarkSpec]) -> Option<&'a BenchmarkSpec> {
    if let Some(same) = others.iter().find(|other| other.id.is_same_case(own)) {
        return Some(same);
    }
    let mut alike = others.iter().filter(|other| other.id.conditions == own.conditions);
    match (alike.next(), alike.next(), others) {
        (Some(only), None, _) | (_, _, [only]) => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::rows::{RequestedConditions, from_entries};
    use crate::registry::{Body, Case, Cases, Group, Label, Settings};

    const fn entry(module_path: &'static str, function: &'static str) -> Entry {
        Entry { module_path, function, ..Entry::DEFAULT }
    }

    fn leaked(entries: impl IntoIterator<Item = Entry>) -> Vec<&'static Entry> {
        entries.into_iter().map(|entry| &*Box::leak(Box::new(entry))).collect()
    }

    #[test]
    fn paths_resolve_as_in_the_compiler() {
        let entries = leaked([
            entry("k", "f"),
            entry("k::a", "f"),
            entry("k::a", "r#match"),
            entry("k::b", "g"),
            entry("k::a", "twice"),
            entry("k::b", "twice"),
        ]);
        let found = |path, module| find(&entries, path, module).map(|e| (e.module_path, e.function));
        assert_eq!(found("f", "k::a"), Some(("k::a", "f")));
        assert_eq!(found("super :: f", "k::a"), Some(("k", "f")));
        assert_eq!(found("crate::a::f", "k::b"), Some(("k::a", "f")));
        assert_eq!(found("self::b::g", "k"), Some(("k::b", "g")));
        assert_eq!(found("match", "k::a"), Some(("k::a", "r#match")));
        assert_eq!(found("g", "k::a"), Some(("k::b", "g")), "imported");
        assert_eq!(found("twice", "k"), None, "which?");
        assert_eq!(found("none", "k"), None);
    }

    fn with_args(cases: &mut Cases) {
        cases.each(
            [1, 2],
            |arg, index| Label::from_value(arg, Some(arg.to_string()), index),
            |cases, _| cases.add(Case::new(|_| {})),
        );
    }

    /// The baselines and problems of the rows of `f`, which names `base`.
    fn paired(f: Body, base: Body) -> Vec<String> {
        let settings = &Settings { baseline: Some("base"), ..Settings::DEFAULT };
        let rows = from_entries(
            leaked([
                Entry { body: f, settings, ..entry("k", "f") },
                Entry { body: base, ..entry("k", "base") },
            ]),
            &[],
            &RequestedConditions::default(),
        );
        let of_f = rows.into_iter().map(|row| row.benchmark).filter(|row| row.id.function == "f");
        of_f.inspect(|row| assert_eq!(row.problem, None))
            .map(|row| row.baseline.map(|id| id.to_string()).or(row.relation_error).unwrap())
            .collect()
    }

    #[test]
    fn rows_of_the_same_case_are_paired() {
        assert_eq!(paired(Body::Cases(with_args), Body::Cases(with_args)), ["base/1", "base/2"]);
        assert_eq!(paired(Body::Cases(with_args), Body::Plain(|_| {})), ["base", "base"]);
        let unpaired = paired(Body::Plain(|_| {}), Body::Cases(with_args));
        assert!(unpaired[0].contains("has several rows (`base/1`, `base/2`), and"), "{unpaired:?}");
        let more = |cases: &mut Cases| {
            cases.each(
                [1, 2, 3],
                |arg, index| Label::from_value(arg, Some(arg.to_string()), index),
                |cases, _| cases.add(Case::new(|_| {})),
            );
        };
        let unpaired = paired(Body::Cases(more), Body::Cases(with_args));
        assert_eq!(unpaired[..2], ["base/1", "base/2"]);
        assert!(unpaired[2].ends_with("and none of them is `3`"), "{unpaired:?}");
    }

    #[test]
    fn rows_with_different_units_are_not_paired() {
        let of = |own: Option<&'static str>, unit: Option<&'static str>| {
            let settings =
                &*Box::leak(Box::new(Settings { baseline: Some("base"), unit: own, ..Settings::DEFAULT }));
            let base = &*Box::leak(Box::new(Settings { unit, ..Settings::DEFAULT }));
            let entries = leaked([
                Entry { settings, ..entry("k", "f") },
                Entry { settings: base, ..entry("k", "base") },
            ]);
            let row = from_entries(entries, &[], &RequestedConditions::default()).remove(0).benchmark;
            row.baseline.map(|id| id.to_string()).or(row.relation_error).unwrap()
        };
        assert_eq!((of(None, None), of(Some("key"), Some("key"))), ("base".to_owned(), "base".to_owned()));
        assert_eq!(of(Some("op"), None), "base", "what it is called anyway");
        let problem = of(Some("byte"), None);
        assert!(problem.contains("`base` is measured per op, and this per byte"), "{problem}");
        assert!(of(None, Some("byte")).contains("per byte, and this per op"));
    }

    #[test]
    fn unknown_baselines_and_oneself_are_problems() {
        let row = |baseline| {
            let settings = Box::leak(Box::new(Settings { baseline: Some(baseline), ..Settings::DEFAULT }));
            let rows = from_entries(
                leaked([Entry { settings, ..entry("k", "f") }]),
                &[],
                &RequestedConditions::default(),
            );
            rows.into_iter().next().unwrap().benchmark
        };
        assert!(row("g").problem.unwrap().contains("`g` is no benchmark"));
        assert!(row("f").problem.unwrap().contains("`f` is itself"));
        let group = Box::leak(Box::new(Group {
            module_path: "k",
            name: None,
            ignored: false,
            settings: Settings { baseline: Some("f"), ..Settings::DEFAULT },
        }));
        let rows = from_entries(
            leaked([entry("k", "f"), entry("k", "g")]),
            &[group],
            &RequestedConditions::default(),
        );
        let found: Vec<_> =
            rows.into_iter().map(|row| (row.benchmark.baseline, row.benchmark.problem)).collect();
        assert_eq!(found, [(None, None), (Some(entry("k", "f").id()), None)]);
    }
}
