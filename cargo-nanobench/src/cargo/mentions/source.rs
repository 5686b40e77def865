//! What a source file takes in, read off its text.

/// An `include!`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Include<'a> {
    /// Of a file, relative to the source file or to the package.
    File(&'a str),
    /// Of what a build script wrote.
    Generated,
    /// Of something that can't be read off the text.
    Unknown,
}

/// The names in `mod name;`.
pub(super) fn modules(text: &str) -> impl Iterator<Item = &str> {
    after_word(text, "mod").filter_map(|rest| {
        let name = rest.strip_prefix(char::is_whitespace)?.trim_start();
        let name = name.strip_prefix("r#").unwrap_or(name);
        let (name, after) = name.split_at(name.find(|c| !is_word(c))?);
        (!name.is_empty() && after.trim_start().starts_with(';')).then_some(name)
    })
}

/// The strings in `path = ".."`, of whatever attribute.
pub(super) fn module_paths(text: &str) -> impl Iterator<Item = &str> {
    after_word(text, "path").filter_map(|rest| {
        let value = rest.trim_start().strip_prefix('=')?.trim_start();
        let value = value.strip_prefix('r').unwrap_or(value).trim_start_matches('#');
        strings(value.starts_with('"').then_some(value)?).next()
    })
}

/// The `include!`s.
pub(super) fn includes(text: &str) -> impl Iterator<Item = Include<'_>> {
    after_word(text, "include").filter_map(|rest| {
        let arguments = rest.strip_prefix('!')?.trim_start();
        if !arguments.starts_with(['(', '[', '{']) {
            return None;
        }
        let strings: Vec<&str> = strings(arguments.split(';').next()?).collect();
        Some(match strings[..] {
            [] => Include::Unknown,
            _ if strings.contains(&"OUT_DIR") => Include::Generated,
            [.., last] => Include::File(last),
        })
    })
}

/// What follows each occurrence of a word.
fn after_word<'a>(text: &'a str, word: &str) -> impl Iterator<Item = &'a str> {
    text.match_indices(word).filter_map(move |(at, word)| {
        let rest = &text[at + word.len()..];
        (!text[..at].ends_with(is_word) && !rest.starts_with(is_word)).then_some(rest)
    })
}

/// What stands between double quotes.
fn strings(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_names() {
        let text = "mod a; pub mod b ;\nmod\tr#c\n; mod inline { mod d; } my_mod e; mods f; mod $g; mod h";
        assert_eq!(modules(text).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    }

    #[test]
    fn paths() {
        let text =
            r##"#[path = "a.rs"] #[cfg_attr(x, path="b.rs")] #[path = r#"c.rs"#] a.path = b; my_path = "d""##;
        assert_eq!(module_paths(text).collect::<Vec<_>>(), ["a.rs", "b.rs", "c.rs"]);
    }

    #[test]
    fn included_files() {
        let text = r#"include!("a.rs"); include! { "b.rs" } ; include_str!("c"); include!(concat!(env!("OUT_DIR"), "/d.rs"));
            include!($file); // include! it"#;
        assert_eq!(
            includes(text).collect::<Vec<_>>(),
            [Include::File("a.rs"), Include::File("b.rs"), Include::Generated, Include::Unknown]
        );
    }
}
