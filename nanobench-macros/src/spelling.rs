//! Misspelled names.
//!
//! nanobench-engine and nanobench-macros share no crate, so both have this file. The test `options` of the
//! workspace compares the two.

/// Returns the number of edits from a name to what was typed, if they are few enough for a misspelling.
pub fn misspelling(typed: &str, name: &str) -> Option<usize> {
    let edits = edit_distance(typed, name);
    let letters = typed.chars().count().min(name.chars().count());
    let most = (letters / 3).clamp(1, 1 + letters / 4);
    (edits <= most && edits < typed.len()).then_some(edits)
}

/// Returns the number of letters to insert, remove, replace or swap with the next one.
fn edit_distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=to.len()).collect());
    for i in 0..from.len() {
        let mut row = vec![i + 1];
        for j in 0..to.len() {
            let replaced = last[j] + usize::from(from[i] != to[j]);
            let mut edits = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] {
                edits = edits.min(before[j - 1] + 1);
            }
            row.push(edits);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_counts_edits() {
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("abc", ""), 3);
        assert_eq!(edit_distance("count", "count"), 0);
        assert_eq!(edit_distance("counts", "count"), 1);
        assert_eq!(edit_distance("conut", "count"), 1);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn few_edits_are_a_misspelling() {
        assert_eq!(misspelling("cuont", "count"), Some(1));
        assert_eq!(misspelling("nam", "name"), Some(1));
        assert_eq!(misspelling("krate", "crate"), Some(1));
        assert_eq!(misspelling("iterations", "count"), None);
        assert_eq!(misspelling("x", "y"), None);
        assert_eq!(misspelling("main", "min16"), None);
    }
}
