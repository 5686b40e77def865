//! Suggestions for unknown options: misspellings, names from other tools, and options of a run.

/// Options of criterion, divan, ankerl::nanobench and others, and the matching option here.
const SYNONYMS: [(&str, &str); 26] = [
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

/// Options of a run, each a flag and a key of the configuration file, and the option of a benchmark
/// that comes closest.
const RUN_OPTIONS: [(&str, Option<&str>); 14] = [
    ("budget", Some("`max_time = \"1s\"`")),
    ("wipe_size", Some("`cache = \"cold\"`")),
    ("resolution", Some("`threshold = 2.0`")),
    ("fail_on", None),
    ("fail_above", None),
    ("timer", None),
    ("wait_quiet", None),
    ("nocapture", None),
    ("skip", None),
    ("skip_tag", None),
    ("include_ignored", Some("`#[ignore]`")),
    ("scale_to", Some("`baseline = other`")),
    ("bytes_format", None),
    ("no_warnings", None),
];

/// Returns the option that other tools call `name`.
pub(crate) fn synonym(name: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|(other, _)| *other == name).map(|(_, option)| *option)
}

/// If `name` is an option of a run, returns where to set it, and the alternative in a benchmark.
pub(crate) fn run_option(name: &str) -> Option<String> {
    let (_, alternative) = RUN_OPTIONS.iter().find(|(option, _)| *option == name)?;
    let flag = name.replace('_', "-");
    let alternative = alternative.map(|option| format!("; in a benchmark, use {option}")).unwrap_or_default();
    Some(format!(
        "use the flag `--{flag}` of `cargo nanobench`, or the key `{flag}` in `.config/nanobench.toml`{alternative}"
    ))
}

/// Returns the first of the candidates closest to `word`, if it is close enough to be a
/// misspelling.
pub(crate) fn closest(
    word: &str,
    candidates: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let (distance, candidate) = candidates
        .into_iter()
        .map(|candidate| (edit_distance(word, candidate), candidate))
        .min_by_key(|(distance, _)| *distance)?;
    (distance * 2 <= candidate.len()).then_some(candidate)
}

/// Returns the Levenshtein distance: the letters to insert, remove or replace.
fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (removed, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = removed + 1;
        for (index, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_counts_edits() {
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("abc", ""), 3);
        assert_eq!(edit_distance("count", "count"), 0);
        assert_eq!(edit_distance("counts", "count"), 1);
        assert_eq!(edit_distance("conut", "count"), 2);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn only_misspellings_have_a_closest_candidate() {
        let options = ["count", "name", "crate"];
        assert_eq!(closest("cuont", options), Some("count"));
        assert_eq!(closest("nam", options), Some("name"));
        assert_eq!(closest("krate", options), Some("crate"));
        assert_eq!(closest("iterations", options), None);
        assert_eq!(closest("x", options), None);
    }
}
