use nanobench::nanobench;

trait Work {
    #[nanobench]
    fn work();
}

fn main() {}
