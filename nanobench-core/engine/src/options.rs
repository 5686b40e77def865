//! The keys of the configuration file.

use crate::option_table::option_table;

macro_rules! key {
    ($name:ident file) => {
        Some(stringify!($name))
    };
    ($name:ident own) => {
        None
    };
}

macro_rules! declare {
    (
        attribute { $($part:ident {
            $($name:ident: $kind:ident $bound:tt [$place:ident, $file:ident, $example:literal] $doc:literal;)*
        })* }
        run { $([$($key:ident)*] $($alternative:literal)?)* }
        counters $counters:tt
    ) => {
        const KEYS: &[Option<&str>] = &[$($(key!($name $file),)*)* $($(Some(stringify!($key)),)*)*];
    };
}
option_table!(declare);

/// Returns the keys of the configuration file, each the name of a flag.
#[inline]
pub fn file_keys() -> Vec<String> {
    KEYS.iter().flatten().map(|name| name.replace('_', "-")).collect()
}
