//! Flags whose value is one of a few words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns a parser for `words`: each with the value that it stands for, and its help.
pub(super) fn words<T: Copy + Send + Sync + 'static>(
    words: &[(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> + use<T> {
    let values: Vec<(&str, T)> = words.iter().map(|&(word, value, _)| (word, value)).collect();
    let possible = words.iter().map(|&(word, _, help)| PossibleValue::new(word).help(help));
    PossibleValuesParser::new(possible).try_map(move |typed| {
        let value = values.iter().find(|(word, _)| *word == typed).map(|&(_, value)| value);
        value.ok_or("unknown word")
    })
}
