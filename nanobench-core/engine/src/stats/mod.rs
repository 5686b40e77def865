//! Statistics: pure functions over slices, independent of what is measured and how it is reported.

mod comparison;
mod complexity;
mod quantile;
mod shape;
mod spread;

pub use comparison::{Change, change_of_medians};
pub use complexity::ComplexityFit;
pub(crate) use complexity::{Point, fit_complexity};
pub use quantile::mdape;
pub use quantile::{Interval, mean, median, median_interval, medians_of_parts, quantile, quantile_of_sorted};
pub use shape::{drift, two_groups};
pub(crate) use spread::{mad, standard_deviation};
