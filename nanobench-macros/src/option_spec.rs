//! The options that exist, from the table of options.

use crate::option_table::option_table;

/// An option of the attribute.
pub(crate) struct OptionSpec {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    on_modules: bool,
    pub(crate) example: &'static str,
    /// A noun phrase for its value.
    pub(crate) meaning: &'static str,
}

/// The kind of an option's value, which says how to parse it.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A `u64` of at least this.
    Number(u64),
    /// A number of any integer type of at least this.
    Amount(u64),
    Percentage {
        allows_zero: bool,
    },
    Duration,
    Flag,
    Text,
    /// An expression or a list with checks of its own.
    Other,
}

macro_rules! kind {
    (number ($min:literal)) => {
        Kind::Number($min)
    };
    (amount ($min:literal)) => {
        Kind::Amount($min)
    };
    (percentage (from 0)) => {
        Kind::Percentage { allows_zero: true }
    };
    (percentage (above 0)) => {
        Kind::Percentage { allows_zero: false }
    };
    (duration ()) => {
        Kind::Duration
    };
    (flag ()) => {
        Kind::Flag
    };
    (text ()) => {
        Kind::Text
    };
    ($other:ident ()) => {
        Kind::Other
    };
}

macro_rules! on_modules {
    (module) => {
        true
    };
    (function) => {
        false
    };
}

macro_rules! declare {
    (
        attribute { $($part:ident {
            $($name:ident: $kind:ident $bound:tt [$place:ident, $file:ident, $example:literal] $meaning:literal;)*
        })* }
        run { $([$($key:ident)*] $($alternative:literal)?)* }
        counters $counters:tt
    ) => {
        const OPTIONS: &[OptionSpec] = &[$($(OptionSpec {
            name: stringify!($name),
            kind: kind!($kind $bound),
            on_modules: on_modules!($place),
            example: $example,
            meaning: $meaning,
        },)*)*];

        /// Options of a run, each a flag and a key of the configuration file, and the option of a
        /// benchmark that comes closest, if there is one.
        pub(crate) const RUN_OPTIONS: &[(&[&str], &str)] =
            &[$((&[$(stringify!($key)),*], concat!($($alternative)?)),)*];

        /// The names of all counters.
        pub(crate) const COUNTERS: [&str; 7] = $counters;
    };
}
option_table!(declare);

impl OptionSpec {
    /// Returns the option of this name, if there is one.
    pub(crate) fn find(name: &str) -> Option<&'static OptionSpec> {
        OPTIONS.iter().find(|option| option.name == name)
    }

    /// Returns the option of this name, which exists.
    pub(crate) fn named(name: &str) -> &'static OptionSpec {
        OptionSpec::find(name).expect("the table has the option")
    }

    /// Returns the smallest number that it accepts.
    pub(crate) fn min(&self) -> u64 {
        match self.kind {
            Kind::Number(min) | Kind::Amount(min) => min,
            _ => 0,
        }
    }
}

/// The kind of item that the attribute is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Function,
    Module,
}

impl Target {
    pub(crate) fn allows(self, option: &OptionSpec) -> bool {
        self == Target::Function || option.on_modules
    }

    pub(crate) fn option_names(self) -> impl Iterator<Item = &'static str> {
        OPTIONS.iter().filter(move |option| self.allows(option)).map(|option| option.name)
    }

    pub(crate) fn list_options(self) -> String {
        let names: Vec<String> = self.option_names().map(|name| format!("`{name}`")).collect();
        let subject = if self == Target::Module { "the options of a module" } else { "the options" };
        format!("{subject} are {}", names.join(", "))
    }
}
