use nanobench::nanobench;

#[nanobench(setup = |n| vec![0; n])]
fn closure(_numbers: Vec<u64>) {}

#[nanobench(setup = move |_rows: usize, _columns: usize| ())]
fn several(_: ()) {}

#[nanobench(setup = { let mut sum = 0; move |n: u64| { sum += n; sum } })]
fn in_a_block(_number: u64) {}

fn main() {}
