//! How the time of a function grows with its argument: the complexities that fit the rows of each.

use super::row::Row;
pub(crate) use nanobench::complexity::FunctionComplexity;

/// What fits the rows that ask for it, in the order of the rows.
pub(crate) fn complexity<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<FunctionComplexity> {
    let with_figure = |row: &'a Row| {
        let (_, summary) = row.resolved()?;
        Some((row.benchmark.function_id(), &row.benchmark.benchmark, summary.median))
    };
    nanobench::complexity::complexity(rows.into_iter().filter_map(with_figure))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Benchmark, Outcome};
    use nanobench::model::{BenchmarkSpec, ComplexityInput, CustomCurve, Measurement};
    use nanobench::stats::Interval;
    use nanobench::summary::Summary;

    fn row(case: &str, n: f64, time: f64) -> Row {
        let benchmark = BenchmarkSpec {
            path: format!("sort/{case}"),
            case: Some(case.into()),
            complexity: Some(ComplexityInput {
                n,
                custom: Some(CustomCurve {
                    name: "|n| n.sqrt()".into(),
                    value: Some(n.sqrt()),
                    problem: None,
                }),
            }),
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
            below_resolution: time == 0.0,
        };
        let outcome = Outcome::Measured { measurement: Measurement::default(), summary };
        let benchmark = Benchmark::new("a", "a::first", 0, &benchmark);
        Row { benchmark, outcome, comparison: None, relation: None }
    }

    #[test]
    fn each_type_has_a_fit_of_its_own() {
        let sizes = [10.0, 100.0, 1_000.0];
        let vec = sizes.map(|n| row(&format!("Vec<u64>/{n}"), n, 3.0 * n * n));
        let list = sizes.map(|n| row(&format!("List/{n}"), n, 2.0 * n));
        let found = complexity(vec.iter().chain(&list));
        let best: Vec<(&str, &str, &str)> =
            found.iter().map(|g| (g.function.as_str(), g.case.as_str(), g.fits[0].name.as_str())).collect();
        assert_eq!(best, [("a::first::sort", "Vec<u64>", "O(n^2)"), ("a::first::sort", "List", "O(n)")]);
        assert!((found[0].fits[0].coefficient - 3.0).abs() < 1e-9);
        assert!(found[0].fits.iter().any(|fit| fit.name == "|n| n.sqrt()"));
    }

    #[test]
    fn what_has_no_figure_is_no_point() {
        let rows = [row("1", 1.0, 1.0), row("2", 2.0, 2.0), row("4", 4.0, 0.0)];
        let found = complexity(&rows);
        assert!(found[0].fits.is_empty() && found[0].unfitted.is_some(), "{found:?}");
    }
}
