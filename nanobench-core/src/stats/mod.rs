//! Statistics: pure functions over slices, independent of what is measured and how it is reported.

mod comparison;
mod complexity;
mod quantile;
mod spread;

pub use comparison::{Change, change_of_medians};
pub use complexity::{ComplexityFit, MIN_SIZES, Point, fit_complexity};
pub use quantile::{Interval, mdape, mean, median, median_interval, quantile};
pub use spread::{mad, standard_deviation};
