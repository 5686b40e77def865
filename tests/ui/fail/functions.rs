//! Functions that can't be benchmarks.

#![allow(unused)]

mod other_items {
    use nanobench::nanobench;

    #[nanobench]
    struct Struct;

    #[nanobench]
    pub(crate) enum Enum {}

    #[nanobench]
    impl Struct {}

    #[nanobench]
    unsafe impl Send for Enum {}

    #[nanobench]
    pub trait Trait {}

    #[nanobench]
    mod module {}

    #[nanobench]
    static STATIC: fn() = super::main;

    #[nanobench]
    const CONST: u64 = 1;

    #[nanobench]
    type Alias = fn();

    #[nanobench]
    use std::fmt;

    #[nanobench(count = 1)]
    macro_rules! marked {
        () => {};
    }
}

mod methods {
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
}

mod without_body {
    use nanobench::nanobench;

    trait Work {
        #[nanobench]
        fn work();
    }
}

mod unsafe_functions {
    use nanobench::nanobench;

    #[nanobench]
    unsafe fn read() {}
}

mod extern_functions {
    use nanobench::nanobench;

    #[nanobench]
    extern "C" fn callback() {}
}

mod target_features {
    use nanobench::nanobench;

    #[nanobench]
    #[target_feature(enable = "avx2")]
    fn vectors() {}
}

mod test {
    use nanobench::nanobench;

    #[nanobench]
    #[test]
    fn tested() {}

    #[nanobench]
    #[cfg_attr(all(), test)]
    fn conditionally() {}
}

mod bench {
    use nanobench::nanobench;

    #[nanobench]
    #[bench]
    fn built_in(_count: u64) {}

    #[nanobench]
    #[divan::bench(args = [1, 2])]
    fn of_another_crate() {}
}

mod should_panic {
    use nanobench::nanobench;

    #[nanobench]
    #[should_panic(expected = "boom")]
    fn panics() {
        panic!("boom");
    }
}

mod marked_twice {
    use nanobench::nanobench;

    #[nanobench]
    #[nanobench(count = 5)]
    fn twice(_count: u64) {}

    #[nanobench]
    #[nanobench::nanobench]
    fn with_path() {}
}

mod where_clauses {
    use nanobench::nanobench;

    #[nanobench]
    fn bounded() where String: Clone {}
}

mod inputs_borrowed_from_inputs {
    use nanobench::nanobench;

    struct Header<'a>(&'a [u8]);

    #[nanobench(setup = || (vec![0], [Header(b"")]))]
    fn itself<'a>((request, headers): &'a mut (Vec<u8>, [Header<'a>; 1])) {
        headers[0] = Header(request);
    }

    #[nanobench(args = [vec![0]], setup = || [Header(b"")])]
    fn clone<'a>(headers: &mut [Header<'a>], request: &'a mut Vec<u8>) {
        headers[0] = Header(request);
    }

    #[nanobench(setup = || Vec::new(), every = "sample")]
    fn state<'a>(headers: &'a mut Vec<Header<'a>>) {
        headers.push(Header(b""));
    }
}

mod several_errors {
    use nanobench::nanobench;

    // Everything that is wrong is said at once, and nothing that is not: the function is there all the same.
    #[nanobench(count = 0, nmae = "x", name = "")]
    #[should_panic]
    async unsafe fn all_wrong<T>(_count: u64, _line: String) {}

    #[nanobench(name = 5)]
    fn still_callable() -> u64 {
        5
    }

    fn check() {
        assert_eq!(still_callable(), 5);
    }
}

fn main() {}
