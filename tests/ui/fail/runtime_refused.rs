use nanobench::nanobench;

struct Runtime;

#[nanobench(runtime = Runtime)]
fn not_async() {}

#[nanobench(runtime = || Runtime)]
async fn closure() {}

#[nanobench(runtime = "tokio")]
async fn name() {}

fn main() {}
