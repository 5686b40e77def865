//! Gathers values that belong together.

/// Gathers values by their keys, in the order of the first value of each key.
pub(super) fn gather<K: PartialEq, V>(pairs: impl Iterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut all: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in pairs {
        match all.iter_mut().rev().find(|(other, _)| *other == key) {
            Some((_, values)) => values.push(value),
            None => all.push((key, vec![value])),
        }
    }
    all
}
