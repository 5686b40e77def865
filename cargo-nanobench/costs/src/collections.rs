//! Collections, with keys of 64 bits in random order.

use nanobench::{Rng, nanobench};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hint::black_box;

const SIZES: [usize; 4] = [10, 1_000, 100_000, 1_000_000];

/// Finding a random key in a map of that many.
#[nanobench(
    name = "HashMap.get",
    args = SIZES, setup = |n| Map::<HashMap<u64, u64>>::of(n), every = "benchmark"
)]
fn hash_map_get(count: u64, map: &mut Map<HashMap<u64, u64>>) -> u64 {
    let Map { map, keys } = map;
    keys.take(count).filter_map(|key| map.get(key)).sum()
}

/// Finding a random key in a map of that many.
#[nanobench(
    name = "BTreeMap.get",
    args = SIZES, setup = |n| Map::<BTreeMap<u64, u64>>::of(n), every = "benchmark"
)]
fn btree_map_get(count: u64, map: &mut Map<BTreeMap<u64, u64>>) -> u64 {
    let Map { map, keys } = map;
    keys.take(count).filter_map(|key| map.get(key)).sum()
}

/// Inserting a new key into a map that grows from nothing to 1000.
#[nanobench(name = "HashMap.insert while it grows to 1000", batch = 1_000, setup = || keys(1_000))]
fn hash_map_insert(keys: &[u64]) -> HashMap<u64, u64> {
    let mut map = HashMap::new();
    for key in keys {
        map.insert(*key, *key);
    }
    map
}

/// Inserting a new key into a map that grows from nothing to 1000.
#[nanobench(name = "BTreeMap.insert while it grows to 1000", batch = 1_000, setup = || keys(1_000))]
fn btree_map_insert(keys: &[u64]) -> BTreeMap<u64, u64> {
    let mut map = BTreeMap::new();
    for key in keys {
        map.insert(*key, *key);
    }
    map
}

/// Visiting the next element of a map of 100 000.
#[nanobench(
    name = "HashMap, next of an iterator",
    batch = 100_000, setup = || Map::<HashMap<u64, u64>>::of(100_000), every = "benchmark"
)]
fn hash_map_iterate(map: &Map<HashMap<u64, u64>>) -> u64 {
    map.map.values().sum()
}

/// Visiting the next element of a map of 100 000.
#[nanobench(
    name = "BTreeMap, next of an iterator",
    batch = 100_000, setup = || Map::<BTreeMap<u64, u64>>::of(100_000), every = "benchmark"
)]
fn btree_map_iterate(map: &Map<BTreeMap<u64, u64>>) -> u64 {
    map.map.values().sum()
}

/// Testing a random number that isn't in a set of 1000.
#[nanobench(
    name = "HashSet.contains, absent",
    setup = || (keys(1_000).into_iter().collect(), Rng::with_seed(99)), every = "benchmark"
)]
fn hash_set_absent(count: u64, (set, rng): &mut (HashSet<u64>, Rng)) -> u64 {
    (0..count).filter(|_| set.contains(&rng.next_u64())).count() as u64
}

/// Appending to a `Vec` that has room.
#[nanobench(name = "Vec.push with room", batch = 1_000, setup = || Vec::with_capacity(1_000))]
fn vec_push(numbers: &mut Vec<u64>) {
    for n in 0..1_000 {
        numbers.push(black_box(n));
    }
}

/// Adding at the back of a queue and taking from its front.
#[nanobench(
    name = "VecDeque, push_back and pop_front",
    setup = || VecDeque::from([1, 2, 3]), every = "benchmark"
)]
fn queue(count: u64, queue: &mut VecDeque<u64>) {
    for n in 0..count {
        queue.push_back(n);
        black_box(queue.pop_front());
    }
}

/// Reading a random element of 1000, with the check of the index.
#[nanobench(name = "Vec, index with check", setup = || keys(1_024), every = "benchmark")]
fn index(count: u64, numbers: &[u64]) -> u64 {
    let at = |x: u64| numbers[(x & 1_023) as usize];
    (0..count).fold(1, |x, _| at(x))
}

/// Sorting random numbers, per number.
#[nanobench(name = "sort_unstable of 1000, per element", batch = 1_000, setup = || keys(1_000))]
fn sort_1000(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// Sorting random numbers, per number.
#[nanobench(name = "sort_unstable of 100 000, per element", batch = 100_000, setup = || keys(100_000))]
fn sort_100000(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// Sorting random strings of 20 characters, per string.
#[nanobench(name = "sort of 1000 Strings, per element", batch = 1_000, setup = strings)]
fn sort_strings(strings: &mut [String]) {
    strings.sort();
}

/// A binary search among 100 000 numbers.
#[nanobench(name = "binary_search in 100 000", setup = || (sorted(), Rng::with_seed(5)), every = "benchmark")]
fn binary_search(count: u64, (numbers, rng): &mut (Vec<u64>, Rng)) -> usize {
    (0..count)
        .map(|_| numbers.binary_search(&rng.next_u64()).unwrap_or_else(|place| place))
        .fold(0, usize::wrapping_add)
}

/// A map and the keys in it, in another order.
struct Map<M> {
    map: M,
    keys: Keys,
}

/// Keys in a circle, of which each call takes the next.
struct Keys {
    keys: Vec<u64>,
    at: usize,
}

impl Keys {
    /// Returns the next `count` keys.
    fn take(&mut self, count: u64) -> impl Iterator<Item = &u64> {
        let start = self.at;
        self.at = (start + count as usize) % self.keys.len();
        let (first, rest) = self.keys.split_at(start);
        rest.iter().chain(first).cycle().take(count as usize)
    }
}

impl<M: FromIterator<(u64, u64)>> Map<M> {
    fn of(size: usize) -> Self {
        let mut keys = keys(size);
        let map = keys.iter().map(|key| (*key, 1)).collect();
        Rng::with_seed(7).shuffle(&mut keys);
        Self { map, keys: Keys { keys, at: 0 } }
    }
}

fn keys(size: usize) -> Vec<u64> {
    let mut rng = Rng::with_seed(3);
    (0..size).map(|_| rng.next_u64()).collect()
}

fn sorted() -> Vec<u64> {
    let mut keys = keys(100_000);
    keys.sort_unstable();
    keys
}

fn strings() -> Vec<String> {
    keys(1_000).into_iter().map(|key| format!("{key:020}")).collect()
}
