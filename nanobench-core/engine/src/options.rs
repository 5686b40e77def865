//! The options of benchmarks and of runs, by name, for the tool and for tests.

use crate::option_table::option_table;

/// An option of the attribute.
#[derive(Debug)]
pub struct AttributeOption {
    /// Its name.
    pub name: &'static str,
    /// It may stand on a module, for all functions in it.
    pub on_modules: bool,
    /// A key of the configuration file and a flag have the same name.
    pub in_file: bool,
}

macro_rules! is {
    (module) => {
        true
    };
    (file) => {
        true
    };
    ($other:ident) => {
        false
    };
}

macro_rules! declare {
    (
        attribute { $($part:ident {
            $($name:ident: $kind:ident $bound:tt [$place:ident, $file:ident, $example:literal] $doc:literal;)*
        })* }
        run { $($key:ident: $alternative:literal;)* }
    ) => {
        /// The options of the attribute.
        pub const ATTRIBUTE: &[AttributeOption] = &[$($(AttributeOption {
            name: stringify!($name),
            on_modules: is!($place),
            in_file: is!($file),
        },)*)*];

        /// The keys of the configuration file that are no options of the attribute, with `_` for `-`.
        pub const RUN: &[&str] = &[$(stringify!($key),)*];
    };
}
option_table!(declare);

/// Returns the keys of the configuration file, each the name of a flag.
#[inline]
pub fn file_keys() -> Vec<String> {
    let of_both = ATTRIBUTE.iter().filter(|option| option.in_file).map(|option| option.name);
    of_both.chain(RUN.iter().copied()).map(|name| name.replace('_', "-")).collect()
}
