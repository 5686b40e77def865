//! Complexity fits: how the time of a function depends on its argument.

use crate::model::{BenchmarkSpec, CustomCurve, RowId};
use crate::stats::{self, ComplexityFit, Point};

/// The complexities that fit the rows of a function that differ in their size only.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesComplexity {
    /// Labels and conditions that the rows have in common: `Vec<u64>` of `Vec<u64>/100`. May be
    /// empty.
    pub case: String,
    /// All fits, the best first. Empty with too few sizes.
    pub fits: Vec<ComplexityFit>,
    /// The complexity that could not be fitted: the user's own, or `complexity` for all of them.
    pub unfitted: Option<Unfitted>,
}

/// A complexity that could not be fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfitted {
    /// Its source text.
    pub name: String,
    /// The reason, at the first row without a value: `for 1 it is -inf`.
    pub reason: String,
}

/// Rows of a function that differ in their size only.
struct Series<'a> {
    /// The id of each of them without the label of its size.
    id: RowId,
    custom: Option<&'a str>,
    points: Vec<Point>,
    unfitted: Option<Unfitted>,
}

/// Fits complexities to the rows of a function that has the option `complexity`, in their order.
/// Each row comes with its time.
pub fn complexity<'a>(rows: impl IntoIterator<Item = (&'a BenchmarkSpec, f64)>) -> Vec<SeriesComplexity> {
    let mut all: Vec<Series> = Vec::new();
    for (benchmark, time) in rows {
        let Some(size) = &benchmark.complexity else { continue };
        let custom = size.custom.as_ref();
        let point = Point { n: size.n, time, custom: custom.and_then(|own| own.value) };
        let id = benchmark.id.without_label(size.label as usize);
        let index = all.iter().position(|series| series.id == id).unwrap_or_else(|| {
            let custom = custom.map(|own| own.name.as_str());
            all.push(Series { id, custom, points: Vec::new(), unfitted: None });
            all.len() - 1
        });
        let series = &mut all[index];
        series.points.push(point);
        // A row that is not fitted needs no value of the user's curve.
        if let (true, None, Some(CustomCurve { name, problem: Some(reason), .. })) =
            (point.is_usable(), &series.unfitted, custom)
        {
            series.unfitted = Some(Unfitted { name: name.clone(), reason: reason.clone() });
        }
    }
    all.into_iter().map(fit).collect()
}

#[inline]
fn fit(Series { id, custom, points, unfitted }: Series<'_>) -> SeriesComplexity {
    let fits = stats::fit_complexity(&points, custom);
    let unfitted = if fits.is_empty() { Some(too_few()) } else { unfitted };
    SeriesComplexity { case: id.case(), fits, unfitted }
}

#[inline]
fn too_few() -> Unfitted {
    Unfitted {
        name: "complexity".to_owned(),
        reason: "it needs three different sizes over 0 that have a time".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ComplexityInput;

    fn row(labels: &[&str], size: ComplexityInput) -> BenchmarkSpec {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        let id = RowId { function: "f".into(), labels, ..RowId::default() };
        BenchmarkSpec { id, complexity: Some(size), ..BenchmarkSpec::default() }
    }

    #[test]
    fn each_type_has_a_fit_of_its_own() {
        let row = |label: &str, n: f64| {
            row(&[label, &n.to_string(), "x"], ComplexityInput { n, label: 1, custom: None })
        };
        let rows = ["Vec<u64>", "10"].map(|label| [10.0, 100.0, 1_000.0].map(|n| (row(label, n), n)));
        let squares = rows[0].iter().map(|(row, n)| (row, n * n));
        let lines = rows[1].iter().map(|(row, n)| (row, *n));
        let without = BenchmarkSpec::default();
        let all = complexity(squares.chain(lines).chain([(&without, 1.0)]));
        let best: Vec<(&str, &str)> =
            all.iter().map(|series| (series.case.as_str(), series.fits[0].name.as_str())).collect();
        assert_eq!(best, [("Vec<u64>/x", "O(n^2)"), ("10/x", "O(n)")]);
    }

    #[test]
    fn two_sizes_are_too_few() {
        let fitted = |sizes: &[f64]| {
            let row = |&n: &f64| row(&[&n.to_string()], ComplexityInput { n, label: 0, custom: None });
            let rows: Vec<BenchmarkSpec> = sizes.iter().map(row).collect();
            complexity(rows.iter().map(|row| (row, 5.0))).remove(0)
        };
        for sizes in [&[10.0, 20.0][..], &[10.0, 20.0, 20.0], &[0.0, 10.0, 20.0]] {
            let series = fitted(sizes);
            assert_eq!(series.fits, [], "{sizes:?}");
            assert_eq!(series.unfitted, Some(too_few()), "{sizes:?}");
        }
        assert_eq!(fitted(&[10.0, 20.0, 40.0]).unfitted, None);
    }

    #[test]
    fn a_curve_without_a_value_is_missing_and_the_others_have_all_points() {
        let row = |n: f64, value: Option<f64>, problem: Option<&str>| {
            let custom = Some(CustomCurve { name: "c".into(), value, problem: problem.map(str::to_owned) });
            row(&[&n.to_string()], ComplexityInput { n, label: 0, custom })
        };
        let fitted = |first: &BenchmarkSpec| {
            let others = [10.0, 20.0, 40.0].map(|n| row(n, Some(n), None));
            let times = [first].into_iter().chain(&others).map(|row| (row, 5.0));
            complexity(times).remove(0)
        };
        let series = fitted(&row(1.0, None, Some("for 1 it is -inf")));
        assert_eq!(series.fits.len(), 6, "{series:?}");
        let linear = series.fits.iter().find(|fit| fit.name == "O(n)").unwrap().coefficient;
        assert!((linear - 5.0 * 71.0 / 2101.0).abs() < 1e-9, "of all four: {series:?}");
        assert_eq!(series.unfitted, Some(Unfitted { name: "c".into(), reason: "for 1 it is -inf".into() }));
        let series = fitted(&row(0.0, None, Some("for 0 it is NaN")));
        assert_eq!((series.fits.len(), &series.unfitted), (7, &None), "no curve goes through 0: {series:?}");
    }
}
