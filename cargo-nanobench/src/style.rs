//! The styles of all output. Colours are for verdicts, warnings and errors; bold and dim text shows
//! the structure. `anstream` removes them where they aren't wanted.

use anstyle::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// A bad result.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// A good result.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// A result that needs attention.
pub(crate) const DOUBTFUL: Style = AnsiColor::Yellow.on_default();

/// The heading of a part.
pub(crate) const HEADING: Style = Style::new().bold();

/// Text that few readers need.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Returns `text` in a style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}
