//! The name of a baseline: it becomes a folder's, so it must be one on every system and in every shell.

use nanobench::report::escape;
use std::fmt::{self, Display};
use std::str::FromStr;

/// Leaves room for a prefix within the 143 bytes that the strictest file systems allow.
const MAX_NAME_BYTES: usize = 100;

/// The signs that mean nothing to a shell or a file system.
const SIGNS: &str = " -_.+@=,";

/// What is typed for the last run.
pub(super) const LAST: &str = "last";

/// A name that was checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BaselineName(String);

impl FromStr for BaselineName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        match fault(name) {
            None => Ok(BaselineName(name.to_owned())),
            Some(fault) => Err(NameError { name: name.to_owned(), fault }),
        }
    }
}

impl AsRef<str> for BaselineName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Display for BaselineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Why a text can't be the name of a baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` can't be the name of a baseline: {fault}\n\
     a name has letters, digits, spaces and - _ . + @ = , in at most {MAX_NAME_BYTES} bytes: main, before-simd, v1.2",
    escape(.name)
)]
pub(crate) struct NameError {
    name: String,
    fault: Fault,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Fault {
    #[error("it is empty")]
    Empty,
    #[error("it has {0} bytes")]
    TooLong(usize),
    #[error("it has `..` in it")]
    DotDot,
    #[error("it has `{}` in it", escape(.0.encode_utf8(&mut [0; 4])))]
    Forbidden(char),
    #[error("`~` is reserved for earlier versions of a baseline")]
    Tilde,
    #[error("`{LAST}` stands for the last run")]
    Last,
    #[error("it starts with `{0}`")]
    Start(char),
    #[error("it ends with `{0}`")]
    End(char),
    #[error("`{0}` is a device on Windows, and baselines are carried from system to system")]
    Device(String),
}

/// What is wrong with a name, the gravest first.
fn fault(name: &str) -> Option<Fault> {
    let (Some(first), Some(last)) = (name.chars().next(), name.chars().next_back()) else {
        return Some(Fault::Empty);
    };
    if name == LAST {
        return Some(Fault::Last);
    }
    let forbidden = |character: &char| !character.is_alphanumeric() && !SIGNS.contains(*character);
    if name.contains('~') {
        Some(Fault::Tilde)
    } else if let Some(character) = name.chars().find(forbidden) {
        Some(Fault::Forbidden(character))
    } else if name.contains("..") {
        Some(Fault::DotDot)
    } else if matches!(first, '.' | '-') || first == ' ' {
        Some(Fault::Start(first))
    } else if last == '.' || last == ' ' {
        Some(Fault::End(last))
    } else if name.len() > MAX_NAME_BYTES {
        Some(Fault::TooLong(name.len()))
    } else {
        device(name).map(Fault::Device)
    }
}

/// The Windows device that a name stands for: it does so in any case, and whatever follows a dot.
fn device(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|number| {
            let mut characters = number.chars();
            matches!(characters.next(), Some('0'..='9' | '¹' | '²' | '³')) && characters.next().is_none()
        })
    };
    let named = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem.as_str());
    (named || numbered("COM") || numbered("LPT")).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_names_of_folders() {
        let longest = "x".repeat(MAX_NAME_BYTES);
        for name in [
            "main",
            "before-simd",
            "v1.2",
            "_",
            "feature@2",
            "größe",
            "数",
            "two words",
            "a-",
            "1",
            "com10",
            "console",
            "a.con",
            "a=b+c,d",
            "lasting",
            &longest,
        ] {
            assert_eq!(name.parse::<BaselineName>().map(|name| name.to_string()), Ok(name.to_owned()));
        }
    }

    #[test]
    fn refuses_what_is_no_folder_everywhere_and_says_why() {
        let long = "x".repeat(MAX_NAME_BYTES + 1);
        for (name, reason) in [
            ("", "it is empty"),
            ("a/b", "it has `/` in it"),
            ("/", "it has `/` in it"),
            ("../main", "it has `/` in it"),
            (r"a\b", r"it has `\` in it"),
            ("..", "it has `..` in it"),
            ("a..b", "it has `..` in it"),
            (".", "it starts with `.`"),
            (".hidden", "it starts with `.`"),
            ("-flag", "it starts with `-`"),
            (" a", "it starts with ` `"),
            ("a.", "it ends with `.`"),
            ("a ", "it ends with ` `"),
            ("a\u{3000}", "it has `\u{3000}` in it"),
            ("main~1", "`~` is reserved"),
            ("last", "`last` stands for the last run"),
            ("a\nb", r"it has `\n` in it"),
            ("a\0", r"it has `\u{0}` in it"),
            ("a\u{1b}[31m", r"it has `\u{1b}` in it"),
            ("a\u{202e}b", r"it has `\u{202e}` in it"),
            ("a:b", "it has `:` in it"),
            ("a<b", "it has `<` in it"),
            ("a>b", "it has `>` in it"),
            ("a\"b", "it has `\"` in it"),
            ("a|b", "it has `|` in it"),
            ("a?b", "it has `?` in it"),
            ("a*b", "it has `*` in it"),
            ("$(boom)", "it has `$` in it"),
            ("CON", "`CON` is a device"),
            ("nul", "`NUL` is a device"),
            ("Aux.txt", "`AUX` is a device"),
            ("prn .x", "`PRN` is a device"),
            ("com1", "`COM1` is a device"),
            ("LPT³", "`LPT³` is a device"),
            (&long, "it has 101 bytes"),
        ] {
            let error = name.parse::<BaselineName>().expect_err(name).to_string();
            assert!(error.contains(reason), "{name:?}: {error}");
            assert!(error.contains("main, before-simd"), "{name:?}: {error}");
            assert!(!error.contains('\u{1b}') && !error.contains('\u{202e}'), "{name:?}: {error}");
        }
    }
}
