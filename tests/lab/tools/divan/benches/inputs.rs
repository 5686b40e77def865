//! Little work on an input of each shape for divan: `NAME` as it is, and `NAME_hidden` hidden a
//! second time.

use divan::{Bencher, black_box};
use std::path::Path;

fn main() {
    divan::main();
}

macro_rules! shapes {
    ($($name:ident $hidden:ident: $shape:ty, $value:expr, |$input:ident| $work:expr;)*) => { $(
        #[divan::bench]
        fn $name(b: Bencher) {
            b.with_inputs(|| -> $shape { $value }).bench_values(|$input| $work);
        }

        #[divan::bench]
        fn $hidden(b: Bencher) {
            b.with_inputs(|| -> $shape { $value }).bench_values(|$input| {
                let $input = black_box($input);
                $work
            });
        }
    )* };
}

shapes! {
    str_args str_args_hidden: &'static str, "GET / HTTP", |text| u64::from(text.as_bytes()[0]);
    slice_args slice_args_hidden: &'static [u64], &[1, 2, 3], |numbers| numbers[0];
    path_args path_args_hidden: &'static Path, Path::new("/usr/lib"), |path| path.as_os_str().len() as u64;
    pair_of_text pair_of_text_hidden: (&'static str, &'static str), ("a", "bc"), |pair| (pair.0.len() + pair.1.len()) as u64;
    pair_of_numbers pair_of_numbers_hidden: (u64, u64), (1, 2), |pair| pair.0 + pair.1;
    array16 array16_hidden: [u8; 16], [7; 16], |bytes| u64::from(bytes[3]);
    array32 array32_hidden: [u8; 32], [7; 32], |bytes| u64::from(bytes[3]);
    option_number option_number_hidden: Option<u64>, Some(5), |number| number.unwrap_or(2);
    option_text option_text_hidden: Option<&'static str>, Some("abc"), |text| text.map_or(2, |text| text.len() as u64);
    number number_hidden: u64, 5, |number| number * 3;
    number128 number128_hidden: u128, 5, |number| (number * 3) as u64;
    float float_hidden: f64, 5.0, |number| (number * 3.0).to_bits();
}
