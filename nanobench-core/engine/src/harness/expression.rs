//! Filters of other libraries are regular expressions. These are the common ones, without a crate that every
//! user would compile: `^`, `$`, `.`, `|`, and `*`, `+` and `?` after a character.

/// Returns whether an expression has no other forms, such as groups and classes.
pub fn is_supported(expression: &str) -> bool {
    let mut rest = expression.chars();
    while let Some(next) = rest.next() {
        let is_known = match next {
            '\\' => rest.next().is_some_and(|escaped| escaped.is_ascii_punctuation() && escaped != '|'),
            _ => !"()[]{}".contains(next),
        };
        if !is_known {
            return false;
        }
    }
    true
}

/// Returns whether a text contains what a supported expression stands for.
pub fn is_match(expression: &str, text: &str) -> bool {
    expression.split('|').any(|one| match one.strip_prefix('^') {
        Some(one) => begins(one, text),
        None => text.char_indices().map(|(at, _)| &text[at..]).chain([""]).any(|rest| begins(one, rest)),
    })
}

/// Returns whether a text begins with what one of the alternatives stands for.
fn begins(one: &str, mut text: &str) -> bool {
    let mut rest = one.chars();
    let (wanted, is_any) = match rest.next() {
        None => return true,
        Some('$') if one == "$" => return text.is_empty(),
        Some('\\') => (rest.next(), false),
        first => (first, first == Some('.')),
    };
    let after = rest.as_str();
    let (fewest, most, after) = match after.as_bytes().first() {
        Some(b'*') => (0, usize::MAX, &after[1..]),
        Some(b'+') => (1, usize::MAX, &after[1..]),
        Some(b'?') => (0, 1, &after[1..]),
        _ => (1, 1, after),
    };
    for number in 0.. {
        if number >= fewest && begins(after, text) {
            return true;
        }
        let mut letters = text.chars();
        let next = letters.next();
        if number >= most || next.is_none() || !(is_any || next == wanted) {
            break;
        }
        text = letters.as_str();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_expressions_match_as_in_other_crates() {
        for (expression, text) in [
            ("b c", "a/b c/d"),
            ("^a/", "a/b"),
            ("b$", "a/b"),
            (r"^1\.5$", "1.5"),
            (r"cost \$", "cost $"),
            ("^x|^a.*c$|y", "a/b/c"),
            ("ab*c", "ac"),
            ("ab+c", "abbc"),
            ("colou?r", "a color"),
            ("é.$", "aéü"),
            ("", ""),
        ] {
            assert!(is_supported(expression) && is_match(expression, text), "{expression} {text}");
        }
        for (expression, text) in [
            ("^b", "a/b"),
            ("a$", "a/b"),
            (r"1\.5", "125"),
            ("ab+c", "ac"),
            ("ab?c", "abbc"),
            ("a.*c$|^b", "acb"),
        ] {
            assert!(is_supported(expression) && !is_match(expression, text), "{expression} {text}");
        }
        for expression in ["(a|b)c", "[ab]", r"\d", "a{2}", r"a\|b", r"a\"] {
            assert!(!is_supported(expression), "{expression}");
        }
    }
}
