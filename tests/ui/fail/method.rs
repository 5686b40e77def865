use nanobench::nanobench;

struct Parser;

impl Parser {
    #[nanobench]
    fn by_reference(&self) {}

    #[nanobench]
    fn by_value(mut self) {
        self = Parser;
        drop(self);
    }

    #[nanobench]
    fn boxed(self: Box<Self>, count: u64) -> u64 {
        count
    }
}

fn main() {}
