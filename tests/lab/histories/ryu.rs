use nanobench::nanobench;

#[nanobench(args = [0.0, 0.3, 1.5e300, 123456.789])]
fn f64(x: f64) -> usize {
    ryu::Buffer::new().format(x).len()
}

#[nanobench(args = [0.1, 3.4e38])]
fn f32(x: f32) -> usize {
    ryu::Buffer::new().format(x).len()
}

#[nanobench(args = [0.25, 2.5e-9])]
fn finite(x: f64) -> usize {
    ryu::Buffer::new().format_finite(x).len()
}

fn numbers() -> Vec<f64> {
    (1..200).map(|k| f64::from(k).sqrt() * 1e5).collect()
}

#[nanobench(fixture = numbers)]
fn list(numbers: &[f64]) -> usize {
    numbers.iter().map(|x| ryu::Buffer::new().format(*x).len()).sum()
}
