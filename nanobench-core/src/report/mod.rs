//! Figures and tables as text.

mod number;
mod table;

pub use number::{Bytes, change, counted, per_second, percent, quantity, significant, size, time, time_per};
pub use table::{
    BELOW_RESOLUTION, Column, FIGURE_COLUMNS, NameFit, Table, escape, figure_cells, min_unit_width,
    time_in_unit,
};
