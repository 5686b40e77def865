use nanobench::nanobench;

#[nanobench]
fn zeros<const N: usize>() -> [u8; N] {
    [0; N]
}

fn main() {}
