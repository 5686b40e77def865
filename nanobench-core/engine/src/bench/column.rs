//! The columns of the table, which can be hidden and shown.

use super::Bench;

/// A column of the table: see [`Bench::hide_column`]. Some need something else as well: a setting,
/// or a counter that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// `relative`, with [`relative`](Bench::relative).
    Relative,
    /// `complexityN`, with [`complexity_n`](Bench::complexity_n).
    ComplexityN,
    /// All columns of [`context_column`](Bench::context_column).
    Context,
    /// `ns/op`
    TimePerUnit,
    /// `op/s`
    UnitPerSecond,
    /// `err%`
    Error,
    /// `ins/op`
    Instructions,
    /// `cyc/op`
    Cycles,
    /// `IPC`: instructions per cycle.
    Ipc,
    /// `bra/op`
    Branches,
    /// `miss%`: mispredicted branches.
    BranchMisses,
    /// `total`
    Total,
    /// `net ns/op`: the time [without the loop](super::BenchResult::net_time_per_operation). It is
    /// hidden unless it is shown.
    WithoutLoop,
    /// `sd ns/op`: the standard deviation of the epochs. It is hidden unless it is shown.
    StandardDeviation,
}

/// # Columns
impl Bench {
    /// Hides a column of the table. It is measured nevertheless.
    #[inline]
    pub fn hide_column(&mut self, column: Column) -> &mut Bench {
        self.show_column(column).settings.hidden_columns.push(column);
        self
    }

    /// Shows a column. [`Column::WithoutLoop`] and [`Column::StandardDeviation`] are in the text of
    /// [`BenchStyle::Text`](super::BenchStyle::Text), too.
    #[inline]
    pub fn show_column(&mut self, column: Column) -> &mut Bench {
        self.settings.hidden_columns.retain(|hidden| *hidden != column);
        self
    }

    /// Adds a column with the value of a [`context`](Bench::context).
    #[inline]
    pub fn context_column(&mut self, key: impl Into<String>) -> &mut Bench {
        let key = key.into();
        self.settings.context_columns.retain(|known| *known != key);
        self.settings.context_columns.push(key);
        self
    }

    /// Removes all columns added by [`context_column`](Bench::context_column).
    #[inline]
    pub fn clear_context_columns(&mut self) -> &mut Bench {
        self.settings.context_columns.clear();
        self
    }

    /// Shows times without the loop over the count and around the call, too:
    /// [`Column::WithoutLoop`].
    #[inline]
    pub fn subtract_loop(&mut self, subtract: bool) -> &mut Bench {
        if subtract { self.show_column(Column::WithoutLoop) } else { self.hide_column(Column::WithoutLoop) }
    }
}
