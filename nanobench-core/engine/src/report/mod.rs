//! Figures and tables as text.

mod escape;
mod figures;
mod number;
mod table;

pub use crate::registry::is_visible;
pub use escape::{escape, without_formula};
pub(crate) use figures::min_unit_width;
pub use figures::{
    FIGURE_COLUMNS, below_resolution, figure_cells, is_by_its_own_clock, is_uncertain, mark_unstable,
    no_longer_than_empty, time_in_unit,
};
pub use number::{
    Bytes, TimeUnit, Units, change, counted, per_second, percent, quantity, significant, size, time,
};
pub use table::{Column, LongerNames, NameFit, Styles, Table};
