//! How the time of a function grows with its argument: the complexities that fit the rows of each.

use crate::model::Benchmark;
use crate::stats::{self, Fit, Point};

/// What fits some rows of a function that differ in their size.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// What the function was called by who asked.
    pub function: String,
    /// What the rows have in common besides: `Vec<u64>` of `Vec<u64>/100`. Empty where that is nothing.
    pub case: String,
    /// All fits, the best first.
    pub fits: Vec<Fit>,
}

/// Rows of one function that differ in their size.
struct Series<'a> {
    function: &'a str,
    case: String,
    custom: Option<&'a str>,
    points: Vec<Point>,
}

/// What fits those rows that ask for it, in their order. Of each there is its function, by any name that tells it from others,
/// and its time.
pub fn growth<'a>(rows: impl IntoIterator<Item = (&'a str, &'a Benchmark, f64)>) -> Vec<Growth> {
    let mut all: Vec<Series> = Vec::new();
    for (function, benchmark, time) in rows {
        let Some(size) = &benchmark.complexity else { continue };
        let custom = size.custom.as_ref();
        let point = Point { n: size.n, time, custom: custom.map(|own| own.value) };
        let case = without_size(benchmark.case.as_deref().unwrap_or_default(), size.n);
        match all.iter_mut().find(|series| series.function == function && series.case == case) {
            Some(series) => series.points.push(point),
            None => all.push(Series {
                function,
                case,
                custom: custom.map(|own| own.name.as_str()),
                points: vec![point],
            }),
        }
    }
    let fit = |Series { function, case, custom, points }| {
        let fits = stats::complexity(&points, custom);
        Growth { function: str::to_owned(function), case, fits }
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
    use crate::model::Size;

    #[test]
    fn each_type_has_a_fit_of_its_own() {
        let sizes = [10.0, 100.0, 1_000.0];
        let row = |case: &str, n| {
            let complexity = Some(Size { n, custom: None });
            Benchmark { case: Some(format!("{case}/{n}")), complexity, ..Benchmark::default() }
        };
        let rows = ["Vec<u64>", "List"].map(|case| sizes.map(|n| (row(case, n), n)));
        let times = rows[0].iter().map(|(row, n)| ("f", row, n * n));
        let others = rows[1].iter().map(|(row, n)| ("f", row, *n));
        let found = growth(times.chain(others).chain([("g", &Benchmark::default(), 1.0)]));
        let best: Vec<(&str, &str)> =
            found.iter().map(|growth| (growth.case.as_str(), growth.fits[0].name.as_str())).collect();
        assert_eq!(best, [("Vec<u64>", "O(n^2)"), ("List", "O(n)")]);
    }

    #[test]
    fn the_size_is_taken_out_of_the_case() {
        assert_eq!(without_size("16/1000/cold", 1000.0), "16/cold");
        assert_eq!(without_size("1000/1000", 1000.0), "1000");
        assert_eq!(without_size("100#2", 100.0), "");
        assert_eq!(without_size("SIZE/10", 10.0), "SIZE");
    }
}
