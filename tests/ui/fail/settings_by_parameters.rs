use nanobench::nanobench;

#[nanobench(args = [10, 100], batch = n)]
fn by_argument(n: usize) {
    let _ = n;
}

#[nanobench(args = [10, 100], samples = 2 * n, threads = n)]
fn others(n: u64) {
    let _ = n;
}

#[nanobench(batch = count)]
fn by_count(count: u64) {
    let _ = count;
}

fn main() {}
