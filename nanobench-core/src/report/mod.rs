//! Figures and tables as text.

mod number;
mod table;

pub use crate::registry::is_visible;
pub(crate) use number::time_per;
pub use number::{Bytes, change, counted, per_second, percent, quantity, significant, size, time};
pub(crate) use table::min_unit_width;
pub use table::{
    Column, FIGURE_COLUMNS, NameFit, Styles, Table, below_resolution, escape, figure_cells,
    is_by_its_own_clock, no_longer_than_empty, time_in_unit,
};
