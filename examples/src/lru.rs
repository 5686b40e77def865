//! A cache that evicts the least recently used entry.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// A cache of at most `capacity` entries.
pub struct LruCache<K, V> {
    capacity: usize,
    /// The number of uses so far. Its value at the last use of an entry is the key in `order`.
    uses: u64,
    entries: HashMap<K, (u64, V)>,
    order: BTreeMap<u64, K>,
}

impl<K: Clone + Eq + Hash, V> LruCache<K, V> {
    /// Creates an empty cache. A capacity of 0 counts as 1.
    pub fn new(capacity: usize) -> Self {
        LruCache { capacity: capacity.max(1), uses: 0, entries: HashMap::new(), order: BTreeMap::new() }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value of `key`. If the cache has none, `make` provides it.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce(&K) -> V) -> &V {
        self.uses += 1;
        let value = match self.entries.remove(&key) {
            Some((last_use, value)) => {
                self.order.remove(&last_use);
                value
            }
            None => {
                self.make_room();
                make(&key)
            }
        };
        self.order.insert(self.uses, key.clone());
        &self.entries.entry(key).insert_entry((self.uses, value)).into_mut().1
    }

    fn make_room(&mut self) {
        if self.entries.len() == self.capacity
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.entries.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks up the keys in order and returns the misses.
    fn misses<const N: usize>(capacity: usize, keys: [u32; N]) -> Vec<u32> {
        let mut cache = LruCache::new(capacity);
        let mut misses = Vec::new();
        for key in keys {
            let value = *cache.get_or_insert_with(key, |&key| {
                misses.push(key);
                key * 10
            });
            assert_eq!(value, key * 10);
            assert!(cache.len() <= capacity);
        }
        misses
    }

    #[test]
    fn entries_within_the_capacity_are_kept() {
        assert_eq!(misses(2, [1, 2, 1, 2]), [1, 2]);
    }

    #[test]
    fn the_least_recently_used_entry_is_evicted() {
        assert_eq!(misses(2, [1, 2, 1, 3, 1, 2]), [1, 2, 3, 2]);
    }

    #[test]
    fn the_minimum_capacity_is_one() {
        let mut cache = LruCache::new(0);
        assert!(cache.is_empty());
        cache.get_or_insert_with("a", |_| ());
        assert_eq!(cache.len(), 1);
    }
}
