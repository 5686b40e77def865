//! A kind: two functions with the same names and, but for the change, the same code in every build.

/// Makes a module for each kind, with `benchmark`, which has the change in changed builds, and
/// `control`, which has it in all. The kind is a function with two constant arguments. The first is
/// true if it has the change. The second gives the control its own copy of the code, which is
/// compiled alike in all builds.
macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        $(pub mod $name {
            #[inline(never)]
            pub fn benchmark() -> u64 {
                super::$name::<{ crate::CHANGED }, false>()
            }

            #[inline(never)]
            pub fn control() -> u64 {
                super::$name::<true, true>()
            }
        })*
    };
}

/// Makes the module of one kind from its code, which reads `CHANGED`. Everything that the code
/// defines has the same name in every build.
macro_rules! kind {
    ($name:ident: $($code:tt)*) => {
        pub mod $name {
            use super::*;

            #[inline(never)]
            pub fn benchmark() -> u64 {
                const CHANGED: bool = crate::CHANGED;
                $($code)*
            }

            #[inline(never)]
            pub fn control() -> u64 {
                const CHANGED: bool = true;
                $($code)*
            }
        }
    };
}

pub(crate) use {kind, kinds};
