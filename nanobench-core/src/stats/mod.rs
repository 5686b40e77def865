//! Statistics: pure functions over slices. Nothing here knows what is measured or how it is shown.

mod comparison;
mod complexity;
mod quantile;
mod spread;

pub use comparison::{Change, change_of_medians};
pub use complexity::{ComplexityFit, MIN_SIZES, Point, fit_complexity};
pub use quantile::{Interval, mdape, mean, median, median_interval, quantile};
pub use spread::{mad, standard_deviation};
