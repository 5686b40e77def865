//! The source of built-in benchmarks, as text that compiles alone.

use nanobench_costs::{Area, PING_PONG};
use std::collections::HashSet;
use std::ops::Range;

/// An item, or several without blank lines in between.
struct Item {
    /// Its lines in the area, counted from 1.
    lines: Range<usize>,
    text: String,
}

/// Returns the function whose name is on `line` of an area, with its attributes and doc comment.
pub(crate) fn function(area: &Area, line: u32) -> String {
    let function = items(area.source).into_iter().find(|item| item.lines.contains(&(line as usize)));
    function.map(|item| item.text).unwrap_or_default()
}

/// Returns the functions whose names are on these lines of an area, and the items and imports of
/// the area that they use.
pub(crate) fn standalone(area: &Area, functions: &[u32]) -> String {
    let (mut needed, mut others): (Vec<Item>, Vec<Item>) = items(area.source)
        .into_iter()
        .partition(|item| functions.iter().any(|line| item.lines.contains(&(*line as usize))));
    others.retain(|item| !item.text.lines().any(|line| line.starts_with("#[nanobench")));
    loop {
        let used: HashSet<&str> =
            needed.iter().filter(|item| !item.is_import()).flat_map(|item| words(&item.text)).collect();
        let Some(next) = others.iter().position(|item| item.is_used_by(&used)) else { break };
        needed.push(others.remove(next));
    }
    needed.sort_by_key(|item| item.lines.start);
    let mut text = String::new();
    for item in needed {
        text += if item.is_import() || text.is_empty() { "" } else { "\n" };
        text += &format!("{}\n", item.text);
    }
    const MODULE: &str = "crate::ping_pong";
    if text.contains(MODULE) {
        let indented = PING_PONG.replace('\n', "\n    ").replace("\n    \n", "\n\n");
        text = format!(
            "{}\nmod ping_pong {{\n    {}\n}}\n",
            text.replace(MODULE, "ping_pong"),
            indented.trim_end()
        );
    }
    text
}

impl Item {
    fn is_import(&self) -> bool {
        self.text.starts_with("use ")
    }

    /// Returns whether it defines or imports one of these words, or a trait without a name.
    fn is_used_by(&self, words: &HashSet<&str>) -> bool {
        self.text.contains(" as _") && self.is_import()
            || self.names().iter().any(|name| words.contains(name))
    }

    /// Returns the names that it defines, imports or implements something for.
    fn names(&self) -> Vec<&str> {
        const BEFORE_NAMES: [&str; 9] =
            ["const", "fn", "struct", "enum", "trait", "type", "static", "thread_local", "async"];
        let heads = self.text.lines().filter(|line| line.starts_with(char::is_alphabetic));
        let names = |head| {
            let mut all = words(head);
            match all.next() {
                Some("use") => all.filter(|word| !["std", "self", "crate", "as"].contains(word)).collect(),
                Some("impl") => all.filter(|word| word.starts_with(char::is_uppercase)).collect(),
                _ => Vec::from_iter(words(head).find(|word| !BEFORE_NAMES.contains(word))),
            }
        };
        heads.flat_map(names).collect()
    }
}

/// Splits the text of an area into its items. Each import is one.
fn items(source: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut line = 1;
    for text in source.trim_end().split("\n\n") {
        let end = line + text.lines().count();
        match items.last_mut() {
            // A blank line within an item.
            Some(item) if text.starts_with([' ', '}']) => {
                item.text += &format!("\n\n{text}");
                item.lines.end = end;
            }
            _ if text.starts_with("use ") => {
                let import =
                    |(text, line): (&str, usize)| Item { lines: line..line + 1, text: text.to_owned() };
                items.extend(text.lines().zip(line..).map(import));
            }
            _ => items.push(Item { lines: line..end, text: text.to_owned() }),
        }
        line = end + 1;
    }
    items
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench_costs::AREAS;

    /// Returns the source of the function that begins like this in an area.
    fn source(area: &str, function: &str) -> String {
        let area = AREAS.iter().find(|other| other.name == area).unwrap();
        let line = area.source.lines().position(|line| line.starts_with(function)).unwrap() as u32 + 1;
        assert!(super::function(area, line).contains(function));
        standalone(area, &[line])
    }

    #[test]
    fn a_function_comes_with_what_it_uses_and_nothing_else() {
        let calls = source("calls", "fn dynamic(");
        let expected = "use nanobench::nanobench;\nuse std::hint::black_box;\n\n/// A call of that function";
        assert!(calls.starts_with(expected), "{calls}");
        for item in ["trait Step {", "struct Multiplied;", "impl Step for Multiplied {", "fn step(x"] {
            assert_eq!(calls.matches(item).count(), 1, "{item}: {calls}");
        }
        for other in ["fn direct(", "fn fibonacci(", "const DEPTH", "fn step_called("] {
            assert!(!calls.contains(other), "{other}: {calls}");
        }
    }

    #[test]
    fn the_shared_module_comes_along() {
        let condvar = source("sync", "fn condvar(");
        assert!(condvar.starts_with("use ping_pong::{PingPong, Sleeping};\n"), "{condvar}");
        assert!(condvar.contains("\nmod ping_pong {\n    //! A thread that answers"), "{condvar}");
        assert!(condvar.ends_with("\n    }\n}\n"), "{condvar}");
        assert!(!source("sync", "fn mutex(").contains("ping_pong"));
    }
}
