//! A vector of bytes as a result, which is dropped outside the timing, and dropped by the function.

macro_rules! sizes {
    ($($module:ident: $size:literal),*) => { $(
        mod $module {
            use nanobench::nanobench;
            use std::hint::black_box;

            #[nanobench]
            fn returned() -> Vec<u8> {
                vec![1; black_box($size)]
            }

            #[nanobench]
            fn dropped() {
                drop(black_box(vec![1_u8; black_box($size)]));
            }
        }
    )* };
}

sizes!(b16: 16, b128: 128, b512: 512, b4096: 4_096, b16384: 16_384, b65536: 65_536);
