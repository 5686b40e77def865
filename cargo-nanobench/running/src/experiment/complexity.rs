//! Complexities of functions and groups, fitted to rows that differ in their size.

use super::row::Row;
use super::suite::gather;
use crate::benchmark_id::TargetId;
use nanobench::complexity::{Scope, SeriesComplexity};

/// The complexities that fit rows of a target that differ in their size only.
#[derive(Debug)]
pub struct TargetComplexity {
    pub target: TargetId,
    pub series: SeriesComplexity,
}

impl TargetComplexity {
    /// Returns the id of the function, or the path of the group or the modules.
    pub fn path(&self) -> String {
        let target = self.target.to_string();
        let (modules, name) = match &self.series.scope {
            Scope::Function { modules, name } => (modules.as_str(), name.as_str()),
            Scope::Group(path) | Scope::Modules(path) => ("", path.as_str()),
        };
        let parts = [&target, modules, name].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("::")
    }
}

/// Fits complexities to rows with sizes, in their order.
pub fn complexity<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<TargetComplexity> {
    let rows = rows.into_iter().filter(|row| row.benchmark.spec.complexity.is_some());
    let point = |row: &'a Row| {
        let (_, summary) = row.resolved()?;
        Some((row.benchmark.id.target.clone(), (&row.benchmark.spec, summary.median)))
    };
    let fits = |(target, points): (TargetId, _)| {
        let all = nanobench::complexity::complexity(points).into_iter();
        all.map(move |series| TargetComplexity { target: target.clone(), series })
    };
    gather(rows.filter_map(point)).into_iter().flat_map(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark_id::BenchmarkId;
    use crate::experiment::{Benchmark, Outcome};
    use nanobench::model::{BenchmarkSpec, ComplexityInput, CustomCurve, Measurement};
    use nanobench::stats::Interval;
    use nanobench::summary::Summary;
    use project::fixtures::id;

    fn row(case: &str, n: f64, time: f64) -> Row {
        let BenchmarkId { target, row } = id(&format!("a::first::sort/{case}"));
        let benchmark = BenchmarkSpec {
            complexity: Some(ComplexityInput {
                n,
                label: Some(row.labels.len() as u64 - 1),
                custom: Some(CustomCurve {
                    name: "|n| n.sqrt()".into(),
                    value: Some(n.sqrt()),
                    problem: None,
                }),
            }),
            id: row,
            ..BenchmarkSpec::default()
        };
        let summary = Summary {
            samples: 9,
            median: time,
            interval: Interval { low: time, high: time },
            err: 0.0,
            mean: time,
            sd: 0.0,
            mad: 0.0,
            min: time,
            max: time,
            raw_median: time,
            cycles: None,
            resolution: 0.0,
            below_resolution: time == 0.0,
        };
        let outcome = Outcome::Measured { measurement: Measurement::default(), summary };
        let benchmark = Benchmark::new(&target, 0, &benchmark);
        Row { benchmark, outcome, comparison: None, earlier_comparison: None, relation: None }
    }

    #[test]
    fn each_type_has_a_fit_of_its_own() {
        let sizes = [10.0, 100.0, 1_000.0];
        let vec = sizes.map(|n| row(&format!("Vec<u64>/{n}"), n, 3.0 * n * n));
        let list = sizes.map(|n| row(&format!("List/{n}"), n, 2.0 * n));
        let found = complexity(vec.iter().chain(&list));
        assert!(found.iter().all(|fitted| fitted.path() == "a::first::sort"));
        let best: Vec<(&str, &str)> = found
            .iter()
            .map(|fitted| (fitted.series.case.as_str(), fitted.series.fits[0].name.as_str()))
            .collect();
        assert_eq!(best, [("Vec<u64>", "O(n^2)"), ("List", "O(n)")]);
        let fits = &found[0].series.fits;
        assert!((fits[0].coefficient - 3.0).abs() < 1e-9);
        assert!(fits.iter().any(|fit| fit.name == "|n| n.sqrt()"));
    }

    #[test]
    fn rows_without_figures_are_not_fitted() {
        let rows = [row("1", 1.0, 1.0), row("2", 2.0, 2.0), row("4", 4.0, 0.0)];
        let found = complexity(&rows);
        assert!(found[0].series.fits.is_empty() && found[0].series.unfitted.is_some(), "{found:?}");
    }
}
