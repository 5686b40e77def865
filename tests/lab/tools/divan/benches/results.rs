//! Results of several sizes for divan.

fn main() {
    divan::main();
}

macro_rules! sizes {
    ($($returned:ident $dropped:ident: $size:literal),*) => { $(
        #[divan::bench]
        fn $returned() -> Vec<u8> {
            vec![1; divan::black_box($size)]
        }

        #[divan::bench]
        fn $dropped() {
            drop(divan::black_box(vec![1_u8; divan::black_box($size)]));
        }
    )* };
}

sizes!(
    b16_returned b16_dropped: 16,
    b128_returned b128_dropped: 128,
    b512_returned b512_dropped: 512,
    b4096_returned b4096_dropped: 4_096,
    b16384_returned b16384_dropped: 16_384,
    b65536_returned b65536_dropped: 65_536
);
