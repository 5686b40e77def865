//! A cache that forgets what has not been used for longest.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Holds at most `capacity` entries; a new one pushes out the least recently used.
pub struct LruCache<K, V> {
    capacity: usize,
    /// Uses so far. The number of an entry's last use is its place in `order`.
    uses: u64,
    entries: HashMap<K, (u64, V)>,
    order: BTreeMap<u64, K>,
}

impl<K: Clone + Eq + Hash, V> LruCache<K, V> {
    /// An empty cache. A capacity of 0 is taken as 1.
    pub fn new(capacity: usize) -> Self {
        LruCache { capacity: capacity.max(1), uses: 0, entries: HashMap::new(), order: BTreeMap::new() }
    }

    /// How many entries it holds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of `key`, which `make` provides where the cache has none.
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

    /// Looks the keys up in turn and returns those that had to be made.
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
    fn keeps_what_fits() {
        assert_eq!(misses(2, [1, 2, 1, 2]), [1, 2]);
    }

    #[test]
    fn forgets_what_was_not_used_for_longest() {
        assert_eq!(misses(2, [1, 2, 1, 3, 1, 2]), [1, 2, 3, 2]);
    }

    #[test]
    fn holds_one_entry_at_least() {
        let mut cache = LruCache::new(0);
        assert!(cache.is_empty());
        cache.get_or_insert_with("a", |_| ());
        assert_eq!(cache.len(), 1);
    }
}
