//! Statistics: pure functions over slices. Nothing here knows what is measured or how it is shown.

mod comparison;
mod complexity;
mod quantile;
mod signed;
mod spread;

pub use comparison::{Change, change_of_medians};
pub use complexity::{Fit, LEAST_SIZES, Point, complexity};
pub use quantile::{Interval, mdape, mean, median, median_interval, quantile};
pub use signed::{signed_interval, signed_least, signed_middle, signed_p};
pub use spread::{drift, mad, standard_deviation, two_groups};
