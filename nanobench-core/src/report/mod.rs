//! Figures as text. Never measures.

mod number;
mod table;

pub use number::{Bytes, change, counted, per_second, percent, quantity, significant, size, time, time_per};
pub use table::{BELOW_RESOLUTION, Column, FIGURES, Fit, Table, escape, figures, in_unit, unit_width};
