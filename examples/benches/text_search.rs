//! Searches a real text, the Apache license. `black_box` hides the inputs from the optimiser, which
//! could otherwise compute the result at compile time.

use std::collections::HashMap;
use std::hint::black_box;

use nanobench::nanobench;

const TEXT: &str = include_str!("../../LICENSE-APACHE");

/// Finds a phrase near the end.
#[nanobench]
fn find_phrase() -> Option<usize> {
    black_box(TEXT).find(black_box("limitations under the License"))
}

/// Searches the whole text for a missing phrase.
#[nanobench(name = "find_absent_phrase")]
fn nowhere() -> Option<usize> {
    black_box(TEXT).find(black_box("limitations under the Licence"))
}

/// Counts the occurrences of a word, ignoring case.
#[nanobench]
fn count_word_in_any_case() -> usize {
    let word = black_box("work");
    words(black_box(TEXT)).filter(|candidate| candidate.eq_ignore_ascii_case(word)).count()
}

/// Counts the lines, byte by byte.
#[nanobench]
fn count_lines() -> usize {
    black_box(TEXT).bytes().filter(|&byte| byte == b'\n').count()
}

/// Counts the occurrences of each word.
#[nanobench]
fn word_frequencies() -> HashMap<&'static str, u32> {
    let mut frequencies = HashMap::new();
    for word in words(black_box(TEXT)) {
        *frequencies.entry(word).or_insert(0) += 1;
    }
    frequencies
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}
