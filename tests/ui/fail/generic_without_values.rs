use nanobench::nanobench;

#[nanobench]
fn ty<T: Default>() -> T {
    T::default()
}

#[nanobench(types = [u8])]
fn constant<T, const N: usize>() {}

#[nanobench(consts = [1])]
fn both<T, const N: usize>() {}

fn main() {}
