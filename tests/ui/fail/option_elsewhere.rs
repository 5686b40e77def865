use nanobench::nanobench;

#[nanobench(sample-time = "1ms", wipe-size = 5, sampel-time = "1ms", samples = 5)]
fn dashed() {}

#[nanobench(timeout = "3s", max_time = "1s", precision = 1.0, counters = [])]
fn of_a_run() {}

#[nanobench(sample_count = 30, warm_up_time = "1s", with_inputs = || 5)]
fn of_other_tools() {}

#[nanobench(params = [1, 2], max-time = "1s")]
mod on_a_module {}

fn main() {}
