use nanobench::nanobench;
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const FRAGMENT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');
const TEXTS: [&str; 3] = ["plain", "a b<c> \u{fc}ber \"x\"", "The quick brown fox jumps over the lazy dog; 100 % of it, again and again."];

#[nanobench(args = TEXTS)]
fn encode(text: &str) -> String {
    utf8_percent_encode(text, FRAGMENT).to_string()
}

#[nanobench(args = TEXTS)]
fn encode_all(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).collect()
}

#[nanobench(args = ["plain", "a%20b%3Cc%3E", "The%20quick%20brown%20fox%20jumps%20over%20the%20lazy%20dog"])]
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8().unwrap().into_owned()
}

#[nanobench(args = ["a%20b%3Cc%3E"])]
fn bytes(text: &str) -> usize {
    percent_decode_str(text).map(usize::from).sum()
}
