//! The styles of all output. Colours are for verdicts, warnings and errors; bold and dim text shows
//! the structure. `anstream` removes them where they aren't wanted.

use anstyle::{AnsiColor, Style};

pub const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// A bad result.
pub const BAD: Style = AnsiColor::Red.on_default();
/// A good result.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// A result that needs attention.
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default();

/// The heading of a part.
pub const HEADING: Style = Style::new().bold();

/// Text that few readers need.
pub const FAINT: Style = Style::new().dimmed();

/// Returns `text` in a style.
pub fn paint(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}
