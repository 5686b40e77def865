//! Suggestions for misspelled names.

use nanobench::spelling::misspelling;

/// The maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// The length of a part that is unlikely to be in a name by chance.
const MIN_PART: usize = 3;

/// Returns up to three names that `typed` may be a misspelling of, best first. A part of a name
/// between `::` or `/` counts as much as the whole, so that `srot` finds
/// `my-crate::first::sort/100`.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = typed.to_lowercase();
    let edits =
        |name: &str| candidates(&name.to_lowercase()).filter_map(|part| misspelling(&typed, part)).min();
    let near = names.into_iter().filter_map(|name| Some((edits(name)?, name)));
    let mut near: Vec<(usize, &str)> = near.collect();
    near.sort();
    near.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name).collect()
}

/// Returns a line for an error about an unknown name: names that it may be a misspelling or a part of,
/// or the existing names.
pub fn hint<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let mut near = nearest(typed, names.iter().copied());
    if near.is_empty() {
        near = shortest_with(typed, &names);
    }
    match near[..] {
        [] if names.is_empty() => "there are none".to_owned(),
        [] => format!("available: {}", quoted(&names, ", ")),
        ref near => format!("did you mean {}?", quoted(near, " or ")),
    }
}

/// Returns up to three names with this part, the shortest first.
fn shortest_with<'a>(part: &str, names: &[&'a str]) -> Vec<&'a str> {
    let part = part.to_lowercase();
    let has_part = |name: &&&str| part.chars().count() >= MIN_PART && name.to_lowercase().contains(&part);
    let mut with: Vec<&str> = names.iter().filter(has_part).copied().collect();
    with.sort_by_key(|name| name.len());
    with.truncate(MAX_SUGGESTIONS);
    with
}

/// Returns the first ten names, in backquotes.
fn quoted(names: &[&str], separator: &str) -> String {
    const MAX_SHOWN: usize = 10;
    let shown: Vec<String> = names.iter().take(MAX_SHOWN).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > MAX_SHOWN {
        format!(" and {} more", names.len() - MAX_SHOWN)
    } else {
        String::new()
    };
    shown.join(separator) + &more
}

/// Returns the whole name, its tails after each `::`, and each part.
fn candidates(name: &str) -> impl Iterator<Item = &str> {
    let tails = std::iter::successors(Some(name), |rest| rest.split_once("::").map(|(_, tail)| tail));
    tails.chain(name.split("::").flat_map(|part| part.split('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_first() {
        assert_eq!(nearest("mian", ["man", "main", "before-simd"]), ["main", "man"]);
        assert_eq!(nearest("Main", ["main"]), ["main"]);
    }

    #[test]
    fn parts_of_ids_count() {
        let ids = ["a::first::sort/100", "a::first::concat", "a::hashing::short_keys"];
        assert_eq!(nearest("srot", ids), ["a::first::sort/100"]);
        assert_eq!(nearest("first::conct", ids), ["a::first::concat"]);
        assert_eq!(nearest("short_kyes", ids), ["a::hashing::short_keys"]);
    }

    #[test]
    fn hints() {
        assert_eq!(hint("mian", ["main", "before-simd"]), "did you mean `main`?");
        assert_eq!(hint("zzz", ["main", "before-simd"]), "available: `main`, `before-simd`");
        assert_eq!(hint("zzz", []), "there are none");
        let ids = ["a::b::sum", "a::b::joined_words_of_a_text", "a::b::joined_words"];
        let parts = "did you mean `a::b::joined_words` or `a::b::joined_words_of_a_text`?";
        assert_eq!(hint("Joined", ids), parts);
        assert!(hint("jo", ids).starts_with("available: "));
        let many: Vec<String> = (0..12).map(|i| format!("package-{i}")).collect();
        assert!(hint("zzz", many.iter().map(String::as_str)).ends_with("`package-9` and 2 more"));
    }

    #[test]
    fn no_similar_name() {
        assert!(nearest("x", ["y", "main"]).is_empty());
        assert!(nearest("throughput", ["main", "sort"]).is_empty());
        assert!(nearest("main", ["min16", "pair", "a::main_loop"]).is_empty());
        assert!(nearest("main", []).is_empty());
    }
}
