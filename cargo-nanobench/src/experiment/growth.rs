//! How the time of a function grows with its argument: the complexities that fit the rows of each.

use super::Row;
use nanobench::stats::{self, Fit, Point};

/// What fits some rows of a function that differ in their size.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Growth {
    /// Id of the function, without a case.
    pub(crate) function: String,
    /// What the rows have in common besides: `Vec<u64>` of `Vec<u64>/100`. Empty where that is nothing.
    pub(crate) case: String,
    /// All fits, the best first.
    pub(crate) fits: Vec<Fit>,
}

/// Rows of one function that differ in their size.
struct Series {
    function: String,
    case: String,
    custom: Option<String>,
    points: Vec<Point>,
}

/// What fits the rows that ask for it, in the order of the rows.
pub(crate) fn growth<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<Growth> {
    let mut all: Vec<Series> = Vec::new();
    for row in rows {
        let (Some((_, summary)), Some(size)) = (row.resolved(), &row.benchmark.benchmark.complexity) else {
            continue;
        };
        let point =
            Point { n: size.n, time: summary.median, custom: size.custom.as_ref().map(|own| own.value) };
        let function = row.benchmark.function_id();
        let case = without_size(row.benchmark.benchmark.case.as_deref().unwrap_or_default(), size.n);
        match all.iter_mut().find(|series| series.function == function && series.case == case) {
            Some(series) => series.points.push(point),
            None => all.push(Series {
                function: function.to_owned(),
                case,
                custom: size.custom.as_ref().map(|own| own.name.clone()),
                points: vec![point],
            }),
        }
    }
    let fit = |Series { function, case, custom, points }| {
        let fits = stats::complexity(&points, custom.as_deref());
        Growth { function, case, fits }
    };
    all.into_iter().map(fit).filter(|growth| !growth.fits.is_empty()).collect()
}

/// A case without the label of the argument that is the size.
fn without_size(case: &str, n: f64) -> String {
    let mut labels: Vec<&str> = case.split('/').collect();
    // A second row of the same label has a number behind it: `100#2`.
    let number = |label: &str| label.split('#').next()?.replace('_', "").parse::<f64>().ok();
    if let Some(position) = labels.iter().rposition(|label| number(label) == Some(n)) {
        labels.remove(position);
    }
    labels.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Found, Outcome};
    use nanobench::model::{Benchmark, Custom, Measurement, Size};
    use nanobench::stats::Interval;
    use nanobench::summary::Summary;

    fn row(case: &str, n: f64, time: f64) -> Row {
        let benchmark = Benchmark {
            path: format!("sort/{case}"),
            case: Some(case.into()),
            complexity: Some(Size {
                n,
                custom: Some(Custom { name: "|n| n.sqrt()".into(), value: n.sqrt() }),
            }),
            ..Benchmark::default()
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
        let benchmark = Found::new("a", "a::first", 0, &benchmark);
        Row { benchmark, outcome, comparison: None, relation: None }
    }

    #[test]
    fn each_type_has_a_fit_of_its_own() {
        let sizes = [10.0, 100.0, 1_000.0];
        let vec = sizes.map(|n| row(&format!("Vec<u64>/{n}"), n, 3.0 * n * n));
        let list = sizes.map(|n| row(&format!("List/{n}"), n, 2.0 * n));
        let found = growth(vec.iter().chain(&list));
        let best: Vec<(&str, &str, &str)> =
            found.iter().map(|g| (g.function.as_str(), g.case.as_str(), g.fits[0].name.as_str())).collect();
        assert_eq!(best, [("a::first::sort", "Vec<u64>", "O(n^2)"), ("a::first::sort", "List", "O(n)")]);
        assert!((found[0].fits[0].coefficient - 3.0).abs() < 1e-9);
        assert!(found[0].fits.iter().any(|fit| fit.name == "|n| n.sqrt()"));
    }

    #[test]
    fn what_has_no_figure_is_no_point() {
        let rows = [row("1", 1.0, 1.0), row("2", 2.0, 2.0), row("4", 4.0, 0.0)];
        assert_eq!(growth(&rows), []);
    }

    #[test]
    fn the_size_is_taken_out_of_the_case() {
        assert_eq!(without_size("16/1000/cold", 1000.0), "16/cold");
        assert_eq!(without_size("1000/1000", 1000.0), "1000");
        assert_eq!(without_size("100#2", 100.0), "");
        assert_eq!(without_size("SIZE/10", 10.0), "SIZE");
    }
}
