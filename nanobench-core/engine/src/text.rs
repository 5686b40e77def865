//! Texts made of several parts.

/// Returns the parts of a path, without spaces and `r#`.
pub(crate) fn path_parts(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    // A search for two characters takes longer to compile.
    for part in path.split(':').map(str::trim).filter(|part| !part.is_empty()) {
        parts.push(part.strip_prefix("r#").unwrap_or(part));
    }
    parts
}

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
