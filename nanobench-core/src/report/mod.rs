//! Figures as text. Never measures.

mod number;
mod table;

pub use number::{change, counted, percent, rate, time};
pub use table::{BELOW_RESOLUTION, Column, FIGURES, Table, escape, figures};
