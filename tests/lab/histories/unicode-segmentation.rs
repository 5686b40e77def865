use nanobench::nanobench;
use unicode_segmentation::UnicodeSegmentation;

const TEXTS: [&str; 3] = [
    "The quick (\"brown\") fox can't jump 32.3 feet, right?",
    "\u{447}\u{435}\u{442}\u{44b}\u{440}\u{435} \u{447}\u{451}\u{440}\u{43d}\u{44b}\u{435} \u{441}\u{43e}\u{431}\u{430}\u{43a}\u{438}",
    "e\u{301}a\u{308} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7} \u{d55c}\u{ae00}",
];

#[nanobench(args = TEXTS)]
fn graphemes(text: &str) -> usize {
    text.graphemes(true).count()
}

#[nanobench(args = TEXTS)]
fn graphemes_backwards(text: &str) -> usize {
    text.graphemes(true).rev().map(str::len).sum()
}

#[nanobench(args = TEXTS)]
fn words(text: &str) -> Vec<&str> {
    text.unicode_words().collect()
}

#[nanobench(args = TEXTS)]
fn bounds(text: &str) -> usize {
    text.split_word_bounds().count()
}

#[nanobench(args = TEXTS)]
fn sentences(text: &str) -> usize {
    text.unicode_sentences().count()
}
