//! Words for options in other places: in other tools, on the command line of `cargo nanobench`.

/// What criterion, divan, ankerl::nanobench and others call what is an option here.
const IN_OTHER_TOOLS: [(&str, &str); 18] = [
    ("sample_count", "samples"),
    ("sample_size", "samples"),
    ("epochs", "samples"),
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
    ("noise_threshold", "threshold"),
];

/// The option that is called `word` elsewhere.
pub(crate) fn option(word: &str) -> Option<&'static str> {
    IN_OTHER_TOOLS.iter().find(|(other, _)| *other == word).map(|(_, option)| *option)
}

/// What is an option of a run and not of a benchmark, and what to say besides of how a benchmark says something like it.
const OF_A_RUN: [(&str, &str); 19] = [
    ("precision", SAMPLES),
    ("min_time", SAMPLES),
    ("max_time", SAMPLES),
    ("budget", SAMPLES),
    ("counters", "; how much a call works on is `bytes`, `chars` or `items`"),
    ("wipe_size", "; here, there is `cache = \"cold\"`"),
    ("resolution", "; here, there is `threshold = 2.0`"),
    ("fail_on", ""),
    ("fail_above", ""),
    ("timeout", ""),
    ("timer", ""),
    ("wait_quiet", ""),
    ("nocapture", ""),
    ("skip", ""),
    ("skip_tag", ""),
    ("include_ignored", "; here, there is `#[ignore]`"),
    ("scale_to", "; here, there is `baseline = other`"),
    ("bytes_format", ""),
    ("no_warnings", ""),
];
const SAMPLES: &str = "; here, there is `samples = 30`";

/// For a word that is an option of a run: what there is besides. Each is a flag, and a key of the configuration.
pub(crate) fn of_a_run(word: &str) -> Option<&'static str> {
    OF_A_RUN.iter().find(|(name, _)| *name == word).map(|(_, besides)| *besides)
}
