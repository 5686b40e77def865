//! Complexity fits: how the time of a function depends on the size of its input.

use crate::model::{BenchmarkSpec, CustomCurve, RowId};
use crate::stats::{self, ComplexityFit, Point};

/// The complexities that fit rows that differ in their size only.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SeriesComplexity {
    /// The function that the rows have in common, or their group.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub scope: Scope,
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unfitted {
    /// Its source text.
    pub name: String,
    /// The reason, at the first row without a value: `for 1 it is -inf`.
    pub reason: String,
}

/// The benchmarks among which a fit looks for its sizes.
#[derive(Debug, Clone, PartialEq)]
pub enum Scope {
    /// The rows of a function.
    Function {
        /// Its modules.
        modules: String,
        /// Its name.
        name: String,
    },
    /// The functions of the group of this name, each with a fixed size.
    Group(String),
    /// The functions without a group in these modules, each with a fixed size.
    Modules(String),
}

impl Scope {
    /// Returns the scope of the fit that a benchmark belongs to. `None` without a fit.
    pub fn of(benchmark: &BenchmarkSpec) -> Option<Scope> {
        let RowId { modules, function: name, .. } = benchmark.id.clone();
        Some(match (benchmark.complexity.as_ref()?.label, benchmark.group.clone()) {
            (Some(_), _) => Scope::Function { modules, name },
            (None, Some(group)) => Scope::Group(group),
            (None, None) => Scope::Modules(modules),
        })
    }
}

/// Rows that differ in their size only.
struct Series<'a> {
    scope: Scope,
    /// The labels and conditions that they have in common.
    id: RowId,
    custom: Option<&'a str>,
    points: Vec<Point>,
    unfitted: Option<Unfitted>,
}

/// Fits complexities to rows with sizes, in their order. Each row comes with its time per operation.
///
/// A curve is fitted to times that are not divided by `batch`: with `batch = |n| n`, the time of an
/// operation hardly depends on `n`, but that of a call does.
pub fn complexity<'a>(rows: impl IntoIterator<Item = (&'a BenchmarkSpec, f64)>) -> Vec<SeriesComplexity> {
    let mut all: Vec<Series> = Vec::new();
    for (benchmark, time) in rows {
        let (Some(size), Some(scope)) = (&benchmark.complexity, Scope::of(benchmark)) else { continue };
        let custom = size.custom.as_ref();
        let name = custom.map(|own| own.name.as_str());
        let time = time * benchmark.batch.unwrap_or(1) as f64;
        let mut point = Point { n: size.n, time, custom: custom.and_then(|own| own.value) };
        let id = size
            .label
            .map_or_else(|| benchmark.id.clone(), |label| benchmark.id.without_label(label as usize));
        let is_its = |series: &Series| series.scope == scope && series.id.is_same_case(&id);
        let index = all.iter().position(is_its).unwrap_or_else(|| {
            all.push(Series { scope, id, custom: name, points: Vec::new(), unfitted: None });
            all.len() - 1
        });
        let series = &mut all[index];
        if let (true, Some(curve)) = (series.custom != name, series.custom.or(name)) {
            point.custom = None;
            let reason = "not all of the functions have this curve".to_owned();
            series.unfitted.get_or_insert(Unfitted { name: curve.to_owned(), reason });
        }
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
fn fit(Series { scope, id, custom, points, unfitted }: Series<'_>) -> SeriesComplexity {
    let fits = stats::fit_complexity(&points, custom);
    let unfitted = if fits.is_empty() { Some(too_few()) } else { unfitted };
    SeriesComplexity { scope, case: id.case(), fits, unfitted }
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
            row(&[label, &n.to_string(), "x"], ComplexityInput { n, label: Some(1), custom: None })
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
    fn a_batch_does_not_divide_the_fitted_times() {
        let row = |n: u64| {
            let size = ComplexityInput { n: n as f64, label: Some(0), custom: None };
            BenchmarkSpec { batch: Some(n), ..row(&[&n.to_string()], size) }
        };
        let rows = [10, 100, 1_000].map(row);
        let fits = complexity(rows.iter().map(|row| (row, 0.5))).remove(0).fits;
        assert_eq!((fits[0].name.as_str(), fits[0].coefficient), ("O(n)", 0.5));
    }

    #[test]
    fn two_sizes_are_too_few() {
        let fitted = |sizes: &[f64]| {
            let row = |&n: &f64| row(&[&n.to_string()], ComplexityInput { n, label: Some(0), custom: None });
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
    fn functions_with_fixed_sizes_share_a_fit() {
        let of = |function: &str, group: Option<&str>, curve: Option<&str>, n: f64| {
            let custom = curve.map(|name| CustomCurve { name: name.into(), value: Some(n), problem: None });
            let id = RowId { modules: "m".into(), function: function.into(), ..RowId::default() };
            let complexity = Some(ComplexityInput { n, label: None, custom });
            BenchmarkSpec { id, complexity, group: group.map(str::to_owned), ..BenchmarkSpec::default() }
        };
        let sizes = [("a", 10.0), ("b", 20.0), ("c", 40.0)];
        let fitted = |group, curve| {
            let rows = sizes.map(|(function, n)| of(function, group, curve, n));
            complexity(rows.iter().zip(sizes).map(|(row, (_, n))| (row, 3.0 * n)))
        };
        let of_modules = fitted(None, None);
        assert_eq!((of_modules.len(), &of_modules[0].scope), (1, &Scope::Modules("m".into())));
        assert_eq!((of_modules[0].fits[0].name.as_str(), of_modules[0].fits[0].coefficient), ("O(n)", 3.0));
        let of_group = fitted(Some("g"), Some("mine"));
        assert_eq!(of_group[0].scope, Scope::Group("g".into()));
        assert!(of_group[0].fits.iter().any(|fit| fit.name == "mine" && fit.error < 1e-9));
        let mixed = [of("a", None, None, 1.0), of("b", None, Some("mine"), 2.0), of("c", None, None, 3.0)];
        let mixed = complexity(mixed.iter().map(|row| (row, 5.0))).remove(0);
        assert_eq!((mixed.fits.len(), mixed.unfitted.map(|curve| curve.name)), (6, Some("mine".into())));
    }

    #[test]
    fn a_curve_without_a_value_is_missing_and_the_others_have_all_points() {
        let row = |n: f64, value: Option<f64>, problem: Option<&str>| {
            let custom = Some(CustomCurve { name: "c".into(), value, problem: problem.map(str::to_owned) });
            row(&[&n.to_string()], ComplexityInput { n, label: Some(0), custom })
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
