//! K dependent multiplications in each form that a benchmark can have. `truth` has the same loops
//! by hand.

use work::{chain, fed};

/// The forms for K multiplications, in a separate module.
macro_rules! chains {
    ($module:ident, $k:literal) => {
        mod $module {
            use super::{chain, fed};
            use nanobench::{TimeControl, nanobench};
            use std::hint::black_box;

            /// Each call continues from the previous call's result.
            #[nanobench]
            fn plain() -> u64 {
                fed::<$k>()
            }

            /// Each call begins anew, so that calls overlap in the processor.
            #[nanobench]
            fn fresh() -> u64 {
                chain::<$k>(black_box(1))
            }

            #[nanobench]
            fn count(count: u64) -> u64 {
                (0..count).fold(1, |x, _| chain::<$k>(x))
            }

            #[nanobench]
            fn control(count: u64, _: &mut TimeControl) -> u64 {
                (0..count).fold(1, |x, _| chain::<$k>(x))
            }

            #[nanobench(setup = || 1_u64)]
            fn setup(x: u64) -> u64 {
                chain::<$k>(x)
            }

            #[nanobench(unroll = 10)]
            fn unroll() -> u64 {
                fed::<$k>()
            }
        }
    };
}

chains!(k1, 1);
chains!(k10, 10);
chains!(k100, 100);
