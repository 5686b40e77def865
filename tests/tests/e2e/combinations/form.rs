//! A benchmark function: an input, a count or a clock to control, a result and options.

use super::input::{self, Input};

/// The parameters by which a function controls counting and timing.
pub(crate) const CONTROLS: &[&str] =
    &["", "count: u64", "tc: &mut TimeControl", "tc: &mut TimeControl, count: usize"];

/// Return types, with a value of each.
pub(crate) const RESULTS: &[(&str, &str)] = &[
    ("", ""),
    (" -> u64", "5"),
    (" -> Vec<u8>", "vec![1, 2]"),
    (" -> Option<String>", "Some(String::from(\"text\"))"),
    (" -> Result<(), std::num::ParseIntError>", "\"5\".parse::<u8>().map(drop)"),
];

/// Options besides those of the input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) text: &'static str,
    /// It is an `async fn`.
    asynchronous: bool,
    /// A part of a case that it adds, in an additional row or in place of the row without it.
    part: Option<&'static str>,
    beside: bool,
    fits: fn(&Input, &str) -> bool,
}

const ANY: Choice = Choice { text: "", asynchronous: false, part: None, beside: false, fits: |_, _| true };

/// All return types and options.
pub(crate) const OPTIONS: &[Choice] = &[
    ANY,
    Choice { text: r#"batch = 3, unit = "thing""#, ..ANY },
    Choice { text: r#"scale = 2, tags = ["made", "many"]"#, ..ANY },
    Choice { text: "bytes = 8, items = 2 + 1", ..ANY },
    Choice { text: "bytes = |input| input.len()", fits: |input, _| input.long, ..ANY },
    Choice { text: r#"group = "made", context(kind = "made", size = 3)"#, ..ANY },
    Choice { text: "reset = nothing", ..ANY },
    Choice { text: "teardown = || nothing()", fits: |input, _| !input.stays, ..ANY },
    Choice { text: "samples = 2, iterations = 3", ..ANY },
    Choice { text: r#"sample_time = "4us", prime = false"#, ..ANY },
    Choice {
        text: "unroll = 3",
        fits: |input, control| !input.made && !input.stays && !control.contains("tc"),
        ..ANY
    },
    Choice { text: r#"cache = "both""#, part: Some("cold 1 MiB"), beside: true, ..ANY },
    Choice { text: r#"cache = "cold""#, part: Some("cold 1 MiB"), ..ANY },
    Choice { text: "threads = [2]", part: Some("threads=2"), fits: |input, _| !input.stays, ..ANY },
    Choice { text: "complexity", fits: |input, _| input.numeric, ..ANY },
    Choice { text: "complexity = |n| n.sqrt()", fits: |input, _| input.numeric, ..ANY },
    Choice { text: r#"warmup = 2, unit = "call""#, asynchronous: true, ..ANY },
    Choice { text: "runtime = Runtime", asynchronous: true, ..ANY },
];

/// A function.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    number: usize,
    pub(crate) input: Input,
    pub(crate) control: &'static str,
    pub(crate) result: (&'static str, &'static str),
    pub(crate) option: Choice,
}

/// Returns each input with each option that it allows. Counts, clocks and results alternate, so
/// that each is combined with many of the others.
pub(crate) fn all() -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    for (i, input) in input::ALL.iter().enumerate() {
        for (j, option) in OPTIONS.iter().enumerate() {
            let number = forms.len();
            let control = CONTROLS[(i + j + j / CONTROLS.len()) % CONTROLS.len()];
            let result = RESULTS[(2 * i + j) % RESULTS.len()];
            if (option.fits)(input, control) {
                forms.push(Form { number, input: *input, control, result, option: *option });
            }
        }
    }
    forms
}

impl Form {
    /// Its name.
    pub(crate) fn function(&self) -> String {
        format!("form_{}", self.number)
    }

    /// Returns the cases of its rows, each after a `/`, or an empty text for a single row without a
    /// case.
    pub(crate) fn cases(&self) -> Vec<String> {
        let inputs = match self.input.cases {
            [] => vec![String::new()],
            cases => cases.iter().map(|case| format!("/{case}")).collect(),
        };
        let Some(part) = self.option.part else { return inputs };
        let with_part = |case: &String| format!("{case}/{part}");
        match self.option.beside {
            true => inputs.iter().flat_map(|case| [case.clone(), with_part(case)]).collect(),
            false => inputs.iter().map(with_part).collect(),
        }
    }

    /// Its source.
    pub(crate) fn source(&self) -> String {
        let Form { input, control, result: (returns, result), option, .. } = self;
        let options = join(&[input.options, option.text]);
        let options = if options.is_empty() { options } else { format!("({options})") };
        let asynchronous = if option.asynchronous { "async " } else { "" };
        // The position of the control is arbitrary.
        let parameters = match self.number % 2 {
            0 => join(&[input.parameters, control]),
            _ => join(&[control, input.parameters]),
        };
        let name = self.function();
        let mut lines = vec![format!("/// {}.", input.name), format!("#[nanobench{options}]")];
        lines.push(format!("{asynchronous}fn {name}{}({parameters}){returns} {{", input.generics));
        for line in [input.check, counting(control), controlling(control), awaiting(asynchronous), result] {
            if !line.is_empty() {
                lines.push(format!("    {line}"));
            }
        }
        lines.push("}\n".to_owned());
        lines.join("\n")
    }
}

fn join(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(", ")
}

fn counting(control: &str) -> &'static str {
    if control.contains("count") { "for i in 0..count { black_box(i); }" } else { "" }
}

fn controlling(control: &str) -> &'static str {
    if control.contains("tc") { "tc.exclude(|| black_box(5));" } else { "" }
}

fn awaiting(asynchronous: &str) -> &'static str {
    if asynchronous.is_empty() { "" } else { "std::future::ready(5).await;" }
}
