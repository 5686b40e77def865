//! What a misspelt word may have been meant to be.

/// The first of the words that are closest to `word`, if it is close enough to be a slip.
pub(crate) fn nearest(word: &str, known: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    let (distance, name) =
        known.into_iter().map(|name| (distance(word, name), name)).min_by_key(|(distance, _)| *distance)?;
    (distance * 2 <= name.len()).then_some(name)
}

/// How many letters to insert, remove or replace to get from one word to the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (removed, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = removed + 1;
        for (index, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("count", "count"), 0);
        assert_eq!(distance("counts", "count"), 1);
        assert_eq!(distance("conut", "count"), 2);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn only_slips_have_a_nearest() {
        let known = ["count", "name", "crate"];
        assert_eq!(nearest("cuont", known), Some("count"));
        assert_eq!(nearest("nam", known), Some("name"));
        assert_eq!(nearest("krate", known), Some("crate"));
        assert_eq!(nearest("iterations", known), None);
        assert_eq!(nearest("x", known), None);
    }
}
