use nanobench::nanobench;

#[nanobench]
fn default<T: Default>() -> T {
    T::default()
}

#[nanobench]
fn with_default_of_both<'a, T: 'a>() {}

fn main() {}
