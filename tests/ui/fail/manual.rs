//! Functions that can't measure their own time.

#![allow(unused)]

mod results {
    use nanobench::nanobench;

    #[nanobench(manual)]
    fn nothing(_count: u64) {}

    #[nanobench(manual)]
    fn tuple(count: u64) -> (u64, u64) {
        (count, count)
    }
}

mod other_results {
    use nanobench::nanobench;

    #[nanobench(manual)]
    fn number(count: u64) -> u64 {
        count
    }
}

mod options {
    use nanobench::{TimeControl, nanobench};
    use std::time::Duration;

    #[nanobench(manual)]
    fn controlled(_: &mut TimeControl) -> Duration {
        Duration::ZERO
    }

    #[nanobench(manual, unroll = 10)]
    fn unrolled() -> Duration {
        Duration::ZERO
    }

    #[nanobench(manual = "yes")]
    fn text() -> Duration {
        Duration::ZERO
    }

    #[nanobench(iter_custom)]
    fn as_criterion_calls_it(_count: u64) -> Duration {
        Duration::ZERO
    }
}

fn main() {}
