use nanobench::nanobench;

#[nanobench(setup = || vec![1], every = "sample")]
fn state(numbers: &mut Vec<u64>) -> Option<&mut u64> {
    numbers.last_mut()
}

#[nanobench(args = [vec![1]])]
fn clone(numbers: &mut Vec<u64>) -> &u64 {
    &numbers[0]
}

fn main() {}
