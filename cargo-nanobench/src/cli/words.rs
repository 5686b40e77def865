//! Flags whose value is one of a few words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns a parser for `words`: each with the value that it stands for, and its help. An earlier word for
/// the same follows it behind a `|`: it is taken, and no help names it.
pub(super) fn words<T: Copy + Send + Sync + 'static>(
    words: &[(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> + use<T> {
    let values: Vec<(&str, T)> =
        words.iter().flat_map(|&(words, value, _)| words.split('|').map(move |word| (word, value))).collect();
    let possible = words.iter().map(|&(words, _, help)| {
        let (word, earlier) = words.split_once('|').map_or((words, None), |(word, of)| (word, Some(of)));
        PossibleValue::new(word).aliases(earlier).help(help)
    });
    PossibleValuesParser::new(possible).try_map(move |typed| {
        let value = values.iter().find(|(word, _)| *word == typed).map(|&(_, value)| value);
        value.ok_or("unknown word")
    })
}
