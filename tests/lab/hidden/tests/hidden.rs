//! All kinds that can share a process, and their controls.

use lab_hidden::with_kinds;

macro_rules! benchmarks {
    ($($name:ident),*) => {
        mod hidden {
            $(#[nanobench::nanobench]
            fn $name() -> u64 {
                lab_hidden::$name::benchmark()
            })*
        }

        mod control {
            $(#[nanobench::nanobench]
            fn $name() -> u64 {
                lab_hidden::$name::control()
            })*
        }
    };
}
with_kinds!(benchmarks);
