//! The marked functions of this executable, and the rows that they make.

mod case;
mod cases;
mod hidden;
mod input;
mod label;
mod number;
mod settings;

pub use case::{Argument, Calls, Case, LocalArg, SyncArg};
pub use cases::Cases;
pub(crate) use cases::{LabeledCase, SizeLabel};
pub use hidden::hidden;
pub use input::{ByValue, StaticReference, static_reference, supplied, supplied_ref, value};
pub use label::is_visible;
pub use label::{DebugText, DisplayText, Label, NoText, Text};
pub(crate) use number::MAX_THREADS;
pub use number::{amount, threads, unit_name, units};
pub(crate) use settings::overrides;
pub use settings::{Complexity, Curve, Group, RegisteredGroup, Settings, override_settings};

use crate::measure::{Bencher, Count};
use crate::model::RowId;
use crate::text::{join, path_parts};

/// A marked function, as `#[nanobench]` registers it.
#[derive(Debug)]
pub struct Entry {
    /// `module_path!()` of the function.
    pub module_path: &'static str,
    /// The function's own name.
    pub function: &'static str,
    /// `name = "..."`, shown instead of the function's name.
    pub name: Option<&'static str>,
    /// The doc comment.
    pub description: &'static str,
    /// `file!()` of the attribute.
    pub file: &'static str,
    /// `line!()` of the function's name: the line of the name or, if a macro writes it, of the
    /// macro's invocation.
    pub line: u32,
    /// `column!()` there.
    pub column: u32,
    /// True if it is marked `#[ignore]`.
    pub ignored: bool,
    /// The way in which the function gets its count.
    pub count: Count,
    /// True if other functions may have the same path: those that aren't the first get a number.
    pub may_be_alike: bool,
    /// True if the function takes an input.
    pub takes_input: bool,
    /// Number of calls in an iteration.
    pub unroll: u64,
    /// The code that runs it.
    pub body: Body,
    /// The options of the attribute. Most functions share the default.
    pub settings: &'static Settings,
}

/// The code that runs a marked function.
#[derive(Debug, Clone, Copy)]
pub enum Body {
    /// Runs the only row: passes the function to the bencher.
    Plain(fn(&mut Bencher)),
    /// Adds the rows of the function, once per process.
    Cases(fn(&mut Cases)),
}

impl Entry {
    /// The default of each field.
    pub const DEFAULT: Entry = Entry {
        module_path: "",
        function: "",
        name: None,
        description: "",
        file: "",
        line: 0,
        column: 0,
        ignored: false,
        count: Count::None,
        may_be_alike: false,
        takes_input: false,
        unroll: 1,
        body: Body::Plain(|_| {}),
        settings: &Settings::DEFAULT,
    };

    /// Returns the name that is shown.
    fn shown_name(&self) -> &'static str {
        self.name.unwrap_or(self.function)
    }

    /// Returns the identity that all rows of the function have in common.
    pub(crate) fn id(&self) -> RowId {
        let modules = join(&mut path_parts(self.module_path).into_iter().skip(1), "::");
        RowId { modules, function: self.shown_name().to_owned(), ..RowId::default() }
    }

    /// Returns whether `id` is that of one of its rows, or would be with other labels and conditions.
    pub(crate) fn is_function_of(&self, id: &RowId) -> bool {
        // Most entries differ in the name, which takes far less time to compare.
        self.shown_name() == id.function && self.id().is_same_function(id)
    }
}

/// An entry that is being registered.
#[derive(Debug)]
pub struct Registered(pub &'static Entry);

inventory::collect!(Registered);
inventory::collect!(RegisteredGroup);

/// Returns all entries in the order of the source: by file, then by line and column.
pub(crate) fn entries() -> Vec<&'static Entry> {
    in_source_order(unordered_entries())
}

/// Returns these entries in the order of the source.
pub(crate) fn in_source_order(unordered: Vec<&'static Entry>) -> Vec<&'static Entry> {
    // Insertion takes less time to compile than a sort.
    let mut entries: Vec<&Entry> = Vec::new();
    for entry in unordered {
        let index = entries.partition_point(|other| compare_places(other, entry).is_lt());
        entries.insert(index, entry);
    }
    entries
}

/// Returns all entries, in no particular order.
pub(crate) fn unordered_entries() -> Vec<&'static Entry> {
    let mut entries = Vec::new();
    for Registered(entry) in inventory::iter::<Registered> {
        entries.push(*entry);
    }
    entries
}

/// Compares places in the source, then modules and names: functions whose names a macro writes share
/// the place of its invocation.
#[inline(never)]
fn compare_places(a: &Entry, b: &Entry) -> std::cmp::Ordering {
    let place = |entry: &Entry| (entry.file, entry.line, entry.column, entry.module_path, entry.shown_name());
    place(a).cmp(&place(b))
}

/// Returns all groups, in no particular order.
pub(crate) fn groups() -> Vec<&'static Group> {
    let mut groups = Vec::new();
    for RegisteredGroup(group) in inventory::iter::<RegisteredGroup> {
        groups.push(*group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_before_names() {
        let entry = |file, line, column, function| Entry { file, line, column, function, ..Entry::DEFAULT };
        let in_order = [
            entry("a.rs", 7, 9, "mango"),
            entry("b.rs", 5, 12, "zebra"),
            entry("b.rs", 5, 18, "apple"),
            entry("b.rs", 5, 18, "mango"),
            entry("b.rs", 6, 1, "lemon"),
            Entry { module_path: "k::a", ..entry("b.rs", 6, 2, "zebra") },
            Entry { module_path: "k::b", ..entry("b.rs", 6, 2, "apple") },
        ];
        for pair in in_order.windows(2) {
            assert!(compare_places(&pair[0], &pair[1]).is_lt(), "{pair:?}");
        }
    }

    #[test]
    fn raw_modules_lose_their_mark() {
        let entry = Entry { module_path: "r#async::r#match::inner", function: "loop", ..Entry::DEFAULT };
        assert_eq!(entry.id().to_string(), "match::inner::loop");
        assert_eq!(Entry { module_path: "r#async", ..entry }.id().to_string(), "loop");
    }
}
