//! Suggestions for unknown options: misspellings, names from other tools, and options of a run.

use crate::option_spec::RUN_OPTIONS;
use crate::spelling::misspelling;

/// Options of criterion, divan, ankerl::nanobench and others, and the matching option here.
const SYNONYMS: [(&str, &str); 27] = [
    ("tag", "tags"),
    ("complexity_big_o", "complexity"),
    ("size", "complexity_n"),
    ("iter_custom", "manual"),
    ("use_manual_time", "manual"),
    ("sample_count", "samples"),
    ("epochs", "samples"),
    ("measurement_time", "max_time"),
    ("sample_iterations", "iterations"),
    ("iters", "iterations"),
    ("epoch_iterations", "iterations"),
    ("epoch_time", "sample_time"),
    ("warm_up_time", "warmup"),
    ("warmup_time", "warmup"),
    ("warm_up_iterations", "warmup"),
    ("with_inputs", "setup"),
    ("input", "setup"),
    ("params", "args"),
    ("values", "args"),
    ("cases", "args"),
    ("inputs", "args"),
    ("throughput", "bytes"),
    ("bytes_count", "bytes"),
    ("chars_count", "chars"),
    ("items_count", "items"),
    ("cycles_count", "items"),
    ("noise_threshold", "threshold"),
];

/// Returns the option that other tools call `name`.
pub(crate) fn synonym(name: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|(other, _)| *other == name).map(|(_, option)| *option)
}

/// If `name` is an option of a run, returns where to set it, and the alternative in a benchmark.
pub(crate) fn run_option(name: &str) -> Option<String> {
    let (_, alternative) = RUN_OPTIONS.iter().find(|(options, _)| options.contains(&name))?;
    let flag = name.replace('_', "-");
    let alternative = match *alternative {
        "" => String::new(),
        option => format!("; in a benchmark, use {option}"),
    };
    Some(format!(
        "use the flag `--{flag}` of `cargo nanobench`, or the key `{flag}` in `.config/nanobench.toml`{alternative}"
    ))
}

/// Returns the candidate that `word` is most probably a misspelling of, if there is one.
pub(crate) fn closest(
    word: &str,
    candidates: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let near = candidates.into_iter().filter_map(|name| Some((misspelling(word, name)?, name)));
    near.min_by_key(|(edits, _)| *edits).map(|(_, name)| name)
}
