//! Texts made of several parts.

/// Joins texts. The standard library's `join` is compiled for each type of text, and is ten times as
/// long.
pub(crate) fn join(parts: &mut dyn Iterator<Item = &str>, separator: &str) -> String {
    let mut text = String::new();
    for (index, part) in parts.enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        text.push_str(part);
    }
    text
}
