//! The inputs of a benchmark, and the ways in which it takes them.

/// A kind of input. A generated function has the `options`, the `generics` and the `parameters`,
/// and uses each of `values`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) options: &'static str,
    pub(crate) generics: &'static str,
    pub(crate) parameters: &'static str,
    /// The assertion in each call.
    pub(crate) check: &'static str,
    /// The cases of the rows; none for a function of one row.
    pub(crate) cases: &'static [&'static str],
    /// Each call gets its own value, made by the user's code.
    pub(crate) made: bool,
    /// Its value lives longer than a call.
    pub(crate) stays: bool,
    /// The cases are numbers.
    pub(crate) numeric: bool,
    /// The input has a `len`.
    pub(crate) long: bool,
}

const NONE: Input = Input {
    name: "none",
    options: "",
    generics: "",
    parameters: "",
    check: "",
    cases: &[],
    made: false,
    stays: false,
    numeric: false,
    long: false,
};

/// All kinds of inputs.
pub(crate) const ALL: &[Input] = &[
    NONE,
    Input {
        name: "number",
        options: "args = [1_u32, 2, 5]",
        parameters: "n: u32",
        check: "assert!(n == 1 || n == 2 || n == 5);",
        cases: &["1", "2", "5"],
        numeric: true,
        ..NONE
    },
    Input {
        name: "range",
        options: "args = 1..4",
        parameters: "n: i64",
        check: "assert!(n >= 1 && n < 4);",
        cases: &["1", "2", "3"],
        numeric: true,
        ..NONE
    },
    Input {
        name: "text",
        options: r#"args = ["a", "b c"]"#,
        parameters: "word: &str",
        check: r#"assert!(word == "a" || word == "b c");"#,
        cases: &["a", "b c"],
        long: true,
        ..NONE
    },
    Input {
        name: "slice",
        options: "args = vec![vec![2_u8, 1]]",
        parameters: "numbers: &[u8]",
        check: "assert_eq!(numbers, &[2, 1]);",
        cases: &["[2, 1]"],
        long: true,
        ..NONE
    },
    Input {
        name: "owned",
        options: "args = vec![vec![2_u8, 1]]",
        parameters: "mut numbers: Vec<u8>",
        check: "assert_eq!(numbers, [2, 1]); numbers.sort();",
        cases: &["[2, 1]"],
        made: true,
        long: true,
        ..NONE
    },
    Input {
        name: "changed",
        options: r#"args = [String::from("x")]"#,
        parameters: "word: &mut String",
        check: r#"assert_eq!(word, "x"); word.push('y');"#,
        cases: &["x"],
        made: true,
        long: true,
        ..NONE
    },
    Input {
        name: "setup",
        options: "setup = || vec![2_u8, 1]",
        parameters: "mut numbers: Vec<u8>",
        check: "assert_eq!(numbers, [2, 1]); numbers.sort();",
        made: true,
        long: true,
        ..NONE
    },
    Input {
        name: "setup-ref",
        options: "setup = || vec![2_u8, 1]",
        parameters: "numbers: &[u8]",
        check: "assert_eq!(numbers, &[2, 1]);",
        made: true,
        long: true,
        ..NONE
    },
    Input {
        name: "setup-path",
        options: "setup = two_numbers",
        parameters: "numbers: &mut Vec<u8>",
        check: "assert_eq!(numbers, &[2, 1]); numbers.sort();",
        made: true,
        long: true,
        ..NONE
    },
    Input {
        name: "setup-of-argument",
        options: "args = [3_usize, 4, 5], setup = |n| vec![7_u8; n]",
        parameters: "numbers: &mut Vec<u8>",
        check: "assert!((3..=5).contains(&numbers.len())); numbers.clear();",
        cases: &["3", "4", "5"],
        made: true,
        numeric: true,
        long: true,
        ..NONE
    },
    Input {
        name: "setup-and-argument",
        options: "args = [3_usize, 4, 5], setup = |n| vec![7_u8; n]",
        parameters: "numbers: Vec<u8>, n: usize",
        check: "assert_eq!(numbers.len(), n);",
        cases: &["3", "4", "5"],
        made: true,
        numeric: true,
        long: true,
        ..NONE
    },
    Input {
        name: "fixture",
        options: "fixture = shared",
        parameters: "shared: &Vec<u64>",
        check: "assert_eq!(shared.len(), 3);",
        ..NONE
    },
    Input {
        name: "argument-and-fixture",
        options: "args = [0_usize, 2], fixture = shared",
        parameters: "place: usize, shared: &Vec<u64>",
        check: "assert_eq!(shared[place], place as u64);",
        cases: &["0", "2"],
        ..NONE
    },
    Input {
        name: "types",
        options: "types = [u8, u64]",
        generics: "<T: From<u8>>",
        check: "let _ = black_box(T::from(1_u8));",
        cases: &["u8", "u64"],
        ..NONE
    },
    Input {
        name: "consts",
        options: "consts = [2, 3, 5]",
        generics: "<const N: usize>",
        check: "let _ = black_box([1_u8; N]);",
        cases: &["2", "3", "5"],
        numeric: true,
        ..NONE
    },
    Input {
        name: "types-consts-arguments",
        options: "types = [Vec<u64>, std::collections::BTreeSet<u64>], consts = [2], args = [5_u64, 6]",
        generics: "<C: std::iter::FromIterator<u64>, const N: u64>",
        parameters: "n: u64",
        check: "let _ = black_box((0..n * N).collect::<C>());",
        cases: &[
            "Vec<u64>/2/5",
            "Vec<u64>/2/6",
            "std::collections::BTreeSet<u64>/2/5",
            "std::collections::BTreeSet<u64>/2/6",
        ],
        ..NONE
    },
    Input {
        name: "state-of-a-sample",
        options: r#"setup = || 5_u64, every = "sample", teardown = |n: u64| assert!(n > 5)"#,
        parameters: "state: &mut u64",
        check: "*state += 1;",
        stays: true,
        ..NONE
    },
    Input {
        name: "state-of-a-benchmark",
        options: r#"setup = two_numbers, every = "benchmark", teardown = |numbers: Vec<u8>| assert!(numbers.len() == 2)"#,
        parameters: "numbers: &Vec<u8>",
        check: "assert_eq!(numbers, &[2, 1]);",
        stays: true,
        ..NONE
    },
    Input {
        name: "state-of-an-argument",
        options: r#"args = [2_usize, 3], setup = |n| vec![1_u8; n], every = "sample""#,
        parameters: "numbers: &mut Vec<u8>, n: usize",
        check: "assert_eq!(numbers.len(), n);",
        cases: &["2", "3"],
        stays: true,
        ..NONE
    },
];
