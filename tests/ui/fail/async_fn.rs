use nanobench::nanobench;

#[nanobench]
async fn fetch() {}

fn main() {}
