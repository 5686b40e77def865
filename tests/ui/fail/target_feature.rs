use nanobench::nanobench;

#[nanobench]
#[target_feature(enable = "avx2")]
fn vectors() {}

fn main() {}
