//! How the time of a function grows with its argument: the complexities that fit the rows of each.

use crate::model::{BenchmarkSpec, CustomCurve};
use crate::stats::{self, ComplexityFit, Point};

/// What fits some rows of a function that differ in their size.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionComplexity {
    /// What the function was called by who asked.
    pub function: String,
    /// What the rows have in common besides: `Vec<u64>` of `Vec<u64>/100`. Empty where that is nothing.
    pub case: String,
    /// All fits, the best first. None where there are too few sizes.
    pub fits: Vec<ComplexityFit>,
    /// What is not among them: the user's own curve, or `complexity` where nothing is.
    pub unfitted: Option<Unfitted>,
}

/// A curve that some of the rows have no value of, or all fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfitted {
    /// As it is written.
    pub name: String,
    /// What happened at the first of those rows: `for 1 it is -inf`.
    pub reason: String,
}

/// Rows of one function that differ in their size.
struct Series<'a> {
    function: &'a str,
    case: String,
    custom: Option<&'a str>,
    points: Vec<Point>,
    unfitted: Option<Unfitted>,
}

/// What fits those rows that ask for it, in their order. Of each there is its function, by any name that tells it from others,
/// and its time.
pub fn complexity<'a>(
    rows: impl IntoIterator<Item = (&'a str, &'a BenchmarkSpec, f64)>,
) -> Vec<FunctionComplexity> {
    let mut all: Vec<Series> = Vec::new();
    for (function, benchmark, time) in rows {
        let Some(size) = &benchmark.complexity else { continue };
        let custom = size.custom.as_ref();
        let point = Point { n: size.n, time, custom: custom.and_then(|own| own.value) };
        let case = without_size(benchmark.case.as_deref().unwrap_or_default(), size.n);
        let known = all.iter().position(|series| series.function == function && series.case == case);
        let place = known.unwrap_or_else(|| {
            let custom = custom.map(|own| own.name.as_str());
            all.push(Series { function, case, custom, points: Vec::new(), unfitted: None });
            all.len() - 1
        });
        let series = &mut all[place];
        series.points.push(point);
        // No curve is asked for its value at a row that none goes through.
        if let (true, None, Some(CustomCurve { name, problem: Some(reason), .. })) =
            (point.is_usable(), &series.unfitted, custom)
        {
            series.unfitted = Some(Unfitted { name: name.clone(), reason: reason.clone() });
        }
    }
    let fit = |Series { function, case, custom, points, unfitted }| {
        let fits = stats::fit_complexity(&points, custom);
        let unfitted = if fits.is_empty() { Some(too_few()) } else { unfitted };
        FunctionComplexity { function: str::to_owned(function), case, fits, unfitted }
    };
    all.into_iter().map(fit).collect()
}

/// Three sizes are the least.
fn too_few() -> Unfitted {
    Unfitted {
        name: "complexity".to_owned(),
        reason: "it needs three different sizes over 0 that have a time".to_owned(),
    }
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
    use crate::model::ComplexityInput;

    #[test]
    fn each_type_has_a_fit_of_its_own() {
        let sizes = [10.0, 100.0, 1_000.0];
        let row = |case: &str, n| {
            let complexity = Some(ComplexityInput { n, custom: None });
            BenchmarkSpec { case: Some(format!("{case}/{n}")), complexity, ..BenchmarkSpec::default() }
        };
        let rows = ["Vec<u64>", "List"].map(|case| sizes.map(|n| (row(case, n), n)));
        let times = rows[0].iter().map(|(row, n)| ("f", row, n * n));
        let others = rows[1].iter().map(|(row, n)| ("f", row, *n));
        let found = complexity(times.chain(others).chain([("g", &BenchmarkSpec::default(), 1.0)]));
        let best: Vec<(&str, &str)> = found
            .iter()
            .map(|complexity| (complexity.case.as_str(), complexity.fits[0].name.as_str()))
            .collect();
        assert_eq!(best, [("Vec<u64>", "O(n^2)"), ("List", "O(n)")]);
    }

    #[test]
    fn two_sizes_are_too_few() {
        let row = |n| BenchmarkSpec {
            complexity: Some(ComplexityInput { n, custom: None }),
            ..BenchmarkSpec::default()
        };
        let fitted = |sizes: &[f64]| {
            let rows: Vec<BenchmarkSpec> = sizes.iter().copied().map(row).collect();
            complexity(rows.iter().map(|row| ("f", row, 5.0))).remove(0)
        };
        for sizes in [&[10.0, 20.0][..], &[10.0, 20.0, 20.0], &[0.0, 10.0, 20.0]] {
            let found = fitted(sizes);
            assert_eq!(found.fits, [], "{sizes:?}");
            assert_eq!(found.unfitted, Some(too_few()), "{sizes:?}");
        }
        assert_eq!(fitted(&[10.0, 20.0, 40.0]).unfitted, None);
    }

    #[test]
    fn a_curve_without_a_value_is_missing_and_the_others_have_all_points() {
        let row = |n: f64, value: Option<f64>, problem: Option<&str>| {
            let custom = Some(CustomCurve { name: "c".into(), value, problem: problem.map(str::to_owned) });
            let (case, complexity) = (Some(n.to_string()), Some(ComplexityInput { n, custom }));
            BenchmarkSpec { case, complexity, ..BenchmarkSpec::default() }
        };
        let fitted = |first: &BenchmarkSpec| {
            let others = [10.0, 20.0, 40.0].map(|n| row(n, Some(n), None));
            let times = [first].into_iter().chain(&others).map(|row| ("f", row, 5.0));
            complexity(times).remove(0)
        };
        let found = fitted(&row(1.0, None, Some("for 1 it is -inf")));
        assert_eq!(found.fits.len(), 6, "{found:?}");
        let coefficient = |found: &FunctionComplexity| {
            found.fits.iter().find(|fit| fit.name == "O(n)").unwrap().coefficient
        };
        assert!((coefficient(&found) - 5.0 * 71.0 / 2101.0).abs() < 1e-9, "of all four: {found:?}");
        assert_eq!(found.unfitted, Some(Unfitted { name: "c".into(), reason: "for 1 it is -inf".into() }));
        let found = fitted(&row(0.0, None, Some("for 0 it is NaN")));
        assert_eq!((found.fits.len(), &found.unfitted), (7, &None), "nothing goes through 0: {found:?}");
    }

    #[test]
    fn the_size_is_taken_out_of_the_case() {
        assert_eq!(without_size("16/1000/cold", 1000.0), "16/cold");
        assert_eq!(without_size("1000/1000", 1000.0), "1000");
        assert_eq!(without_size("100#2", 100.0), "");
        assert_eq!(without_size("SIZE/10", 10.0), "SIZE");
    }
}
