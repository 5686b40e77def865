//! Little work on an input of each shape, from each option: `plain`, and `hidden` a second time by
//! the function, as in ported benchmarks. `constant` is the same work on a hidden constant.

use std::path::{Path, PathBuf};

fn numbers() -> Vec<u64> {
    (0..16).collect()
}

static EMPTY: Vec<u64> = Vec::new();

fn path() -> PathBuf {
    PathBuf::from("/usr/lib")
}

fn text() -> String {
    "GET / HTTP".to_owned()
}

/// A module for a shape: its type, the options that supply it, a constant, and the work.
macro_rules! shapes {
    ($($name:ident: $shape:ty, ($($option:tt)*), $constant:expr, |$input:ident| $work:expr;)*) => { $(
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            use nanobench::nanobench;
            use std::hint::black_box;

            #[nanobench]
            fn constant() -> u64 {
                match black_box::<$shape>($constant) {
                    $input => $work,
                }
            }

            #[nanobench($($option)*)]
            fn plain($input: $shape) -> u64 {
                $work
            }

            #[nanobench($($option)*)]
            fn hidden($input: $shape) -> u64 {
                let $input = black_box($input);
                $work
            }
        }
    )* };
}

shapes! {
    str_args: &str, (args = ["GET / HTTP"]), "GET / HTTP", |text| u64::from(text.as_bytes()[0]);
    str_args_string: &str, (args = [text()]), "GET / HTTP", |text| u64::from(text.as_bytes()[0]);
    str_setup: &str, (setup = text), "GET / HTTP", |text| u64::from(text.as_bytes()[0]);
    str_every: &str, (setup = text, every = "sample"), "GET / HTTP", |text| u64::from(text.as_bytes()[0]);
    str_fixture: &str, (fixture = text), "GET / HTTP", |text| u64::from(text.as_bytes()[0]);
    slice_args: &[u64], (args = [numbers()]), &[1, 2, 3], |numbers| numbers[0];
    slice_array: &[u64], (args = [[1, 2, 3]]), &[1, 2, 3], |numbers| numbers[0];
    slice_mut: &mut [u64], (setup = numbers), &mut [1, 2, 3], |numbers| numbers[0];
    slice_mut_every: &mut [u64], (setup = numbers, every = "sample"), &mut [1, 2, 3], |numbers| numbers[0];
    path_args: &Path, (args = [path()]), Path::new("/usr/lib"), |path| path.as_os_str().len() as u64;
    dyn_args: &dyn ToText, (args = [5]), &5, |value| value.length();
    vec_args: &Vec<u64>, (args = [numbers()]), &EMPTY, |numbers| numbers.len() as u64;
    pair_of_text: (&str, &str), (args = [("a", "bc")]), ("a", "bc"), |pair| (pair.0.len() + pair.1.len()) as u64;
    pair_of_numbers: (u64, u64), (args = [(1, 2)]), (1, 2), |pair| pair.0 + pair.1;
    array16: [u8; 16], (args = [[7; 16]]), [7; 16], |bytes| u64::from(bytes[3]);
    array32: [u8; 32], (args = [[7; 32]]), [7; 32], |bytes| u64::from(bytes[3]);
    option_number: Option<u64>, (args = [Some(5)]), Some(5), |number| number.unwrap_or(2);
    option_text: Option<&str>, (args = [Some("abc")]), Some("abc"), |text| text.map_or(2, |text| text.len() as u64);
    number: u64, (args = [5]), 5, |number| number * 3;
    number128: u128, (args = [5]), 5, |number| (number * 3) as u64;
    float: f64, (args = [5.0]), 5.0, |number| (number * 3.0).to_bits();
}

/// A trait for objects.
trait ToText {
    fn length(&self) -> u64;
}

impl ToText for i32 {
    fn length(&self) -> u64 {
        if *self < 10 { 1 } else { 2 }
    }
}
