//! Names of baselines. They become names of folders, so they must be valid on all systems and in
//! all shells.

use nanobench::report::escape;
use std::fmt::{self, Display};
use std::str::FromStr;

/// The limit for a name. It leaves room for a prefix within the 143 bytes of the strictest file
/// systems.
const MAX_NAME_BYTES: usize = 100;

/// Punctuation without a meaning to shells and file systems.
const PUNCTUATION: &str = " -_.+@=,";

/// The name of the last run.
pub(super) const LAST: &str = "last";

/// A valid name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BaselineName(String);

impl FromStr for BaselineName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        match problem(name) {
            None => Ok(BaselineName(name.to_owned())),
            Some(problem) => Err(NameError { name: name.to_owned(), problem }),
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

/// The error for a text that can't be the name of a baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` can't be the name of a baseline: {problem}\n\
     use letters, digits, spaces and - _ . + @ = , in at most {MAX_NAME_BYTES} bytes: main, before-simd, v1.2",
    escape(.name)
)]
pub struct NameError {
    name: String,
    problem: String,
}

/// Returns the most important problem of a name.
fn problem(name: &str) -> Option<String> {
    let (Some(first), Some(last)) = (name.chars().next(), name.chars().next_back()) else {
        return Some("it is empty".to_owned());
    };
    // File systems may ignore case.
    if name.to_uppercase() == LAST.to_uppercase() {
        return Some(format!("`{LAST}` is reserved for the last run"));
    }
    let forbidden = |character: &char| !character.is_alphanumeric() && !PUNCTUATION.contains(*character);
    if name.contains('~') {
        Some("`~` is reserved for earlier versions of a baseline".to_owned())
    } else if let Some(character) = name.chars().find(forbidden) {
        Some(format!("it contains `{}`", escape(character.encode_utf8(&mut [0; 4]))))
    } else if name.contains("..") {
        Some("it contains `..`".to_owned())
    } else if matches!(first, '.' | '-' | ' ') {
        Some(format!("it starts with `{first}`"))
    } else if matches!(last, '.' | ' ') {
        Some(format!("it ends with `{last}`"))
    } else if name.len() > MAX_NAME_BYTES {
        Some(format!("it has {} bytes", name.len()))
    } else {
        device(name).map(|device| format!("`{device}` is a device on Windows, and baselines are portable"))
    }
}

/// Returns the Windows device that a name refers to, in any case and with any extension.
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
    fn valid_names() {
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
    fn errors_name_the_problem() {
        let long = "x".repeat(MAX_NAME_BYTES + 1);
        for (name, reason) in [
            ("", "it is empty"),
            ("a/b", "it contains `/`"),
            ("/", "it contains `/`"),
            ("../main", "it contains `/`"),
            (r"a\b", r"it contains `\`"),
            ("..", "it contains `..`"),
            ("a..b", "it contains `..`"),
            (".", "it starts with `.`"),
            (".hidden", "it starts with `.`"),
            ("-flag", "it starts with `-`"),
            (" a", "it starts with ` `"),
            ("a.", "it ends with `.`"),
            ("a ", "it ends with ` `"),
            ("a\u{3000}", "it contains `\u{3000}`"),
            ("main~1", "`~` is reserved"),
            ("last", "`last` is reserved for the last run"),
            ("Last", "`last` is reserved for the last run"),
            ("LAST", "`last` is reserved for the last run"),
            ("a\nb", r"it contains `\n`"),
            ("a\0", r"it contains `\u{0}`"),
            ("a\u{1b}[31m", r"it contains `\u{1b}`"),
            ("a\u{202e}b", r"it contains `\u{202e}`"),
            ("a:b", "it contains `:`"),
            ("a<b", "it contains `<`"),
            ("a>b", "it contains `>`"),
            ("a\"b", "it contains `\"`"),
            ("a|b", "it contains `|`"),
            ("a?b", "it contains `?`"),
            ("a*b", "it contains `*`"),
            ("$(boom)", "it contains `$`"),
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
