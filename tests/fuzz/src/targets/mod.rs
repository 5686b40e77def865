//! A module for each target.

mod archive;
mod code;
mod config;
mod flags;
mod json;
mod link_inputs;
mod marker;
mod protocol;
mod store;
mod template;
mod text;

pub use archive::archive;
pub use code::code;
pub use config::config;
pub use flags::flags;
pub use json::json;
pub use link_inputs::link_inputs;
pub use marker::marker;
pub use protocol::{replies, requests};
pub use store::store;
pub use template::{bench_config, template};
pub use text::text;

/// Fails if a text for the terminal could control it: only line breaks are allowed.
fn assert_harmless(text: &str) {
    let is_bad = |c: &char| match c {
        '\n' => false,
        // No width, or another direction.
        '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' => true,
        c => c.is_control(),
    };
    let bad = text.chars().find(is_bad);
    assert_eq!(bad, None, "{text:?}");
}

/// Fails if a report has figures that are not finite.
fn assert_figures(text: &str) {
    let is_word = |word: &str| matches!(word, "NaN" | "inf" | "-inf" | "+inf");
    let bad = text.split(|c: char| c.is_whitespace() || "%,:(".contains(c)).find(|word| is_word(word));
    assert_eq!(bad, None, "{text}");
}
