//! Names, groups, tags, baselines and modules.

#![allow(unused)]

mod name_types {
    use nanobench::nanobench;

    const NAME: &str = "name";

    #[nanobench(name = 5)]
    fn number() {}

    #[nanobench(name = b"bytes")]
    fn bytes() {}

    #[nanobench(name = NAME)]
    fn constant() {}

    #[nanobench(name = concat!("a", "b"))]
    fn computed() {}
}

mod names {
    use nanobench::nanobench;

    #[nanobench(name = "")]
    fn empty() {}

    #[nanobench(name = "two\nlines")]
    fn lines() {}

    #[nanobench(name = "map\tinsert")]
    fn tab() {}

    #[nanobench(name = "trailing ")]
    fn blank() {}
}

mod groups {
    use nanobench::nanobench;

    #[nanobench(group = "")]
    fn empty() {}

    #[nanobench(group = sorting)]
    fn word() {}

    #[nanobench(group = "a\tb")]
    fn tab() {}
}

mod counters {
    use nanobench::nanobench;

    #[nanobench(counters = ["instructoins"])]
    fn misspelt() {}

    #[nanobench(counters = ["cycles", "cycles"])]
    fn twice() {}

    #[nanobench(counters = [BytesCount::new(8)])]
    fn amounts() {}
}

mod tags {
    use nanobench::nanobench;

    #[nanobench(tags = [])]
    fn empty() {}

    #[nanobench(tags = [slow])]
    fn word() {}

    #[nanobench(tags = ["slow", "io", "slow"])]
    fn twice() {}

    #[nanobench(tags = slow)]
    fn bare() {}

    #[nanobench(tags = ["slow "])]
    fn blank() {}
}

mod units {
    use nanobench::nanobench;

    #[nanobench(unit = "")]
    fn empty() {}

    #[nanobench(unit = "ns/byte")]
    fn figure() {}

    #[nanobench(unit = byte)]
    fn word() {}

    #[nanobench(unit = "byte ")]
    fn blank() {}
}

mod baselines {
    use nanobench::nanobench;

    #[nanobench(baseline = "other")]
    fn quoted() {}

    #[nanobench(baseline = || other())]
    fn closure() {}

    #[nanobench]
    fn other() {}
}

mod baseline_of_itself {
    use nanobench::nanobench;

    #[nanobench(baseline = alone)]
    fn alone() {}
}

mod unknown_baselines {
    use nanobench::nanobench;

    #[nanobench(baseline = ohter)]
    fn misspelt() {}

    #[nanobench(baseline = nowhere::other)]
    fn elsewhere() {}

    #[nanobench]
    fn other() {}
}

mod modules {
    use nanobench::nanobench;

    #[nanobench]
    mod bare {}

    #[nanobench(args = [1, 2])]
    mod arguments {}

    #[nanobench(smaples = 5)]
    mod misspelt {}

    #[nanobench(samples = 0)]
    mod zero {}

    #[nanobench(group = "a", group = "b")]
    mod twice {}

    #[nanobench(baseline = nothing)]
    mod unknown {}
}

fn main() {}
