use nanobench::nanobench;

struct Runtime;

#[nanobench(runtime = Runtime)]
async fn no_method() {}

fn main() {}
