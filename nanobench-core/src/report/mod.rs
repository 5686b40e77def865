//! Figures and tables as text.

mod number;
mod table;

pub(crate) use number::time_per;
pub use number::{Bytes, change, counted, per_second, percent, quantity, significant, size, time};
pub(crate) use table::min_unit_width;
pub use table::{
    BELOW_RESOLUTION, Column, FIGURE_COLUMNS, NameFit, Styles, Table, escape, figure_cells, time_in_unit,
};
