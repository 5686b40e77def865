use nanobench::nanobench;

struct Runtime;

#[nanobench(runtime = Runtime)]
fn not_async() {}

#[nanobench(runtime = || Runtime)]
async fn closure() {}

fn main() {}
