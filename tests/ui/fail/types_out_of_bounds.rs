use nanobench::nanobench;

struct NoDefault;

#[nanobench(types = [u8, NoDefault])]
fn default<T: Default>() -> T {
    T::default()
}

fn main() {}
