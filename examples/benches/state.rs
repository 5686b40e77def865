//! Sets up state before a benchmark, shares it between calls, and cleans it up. None of this is
//! timed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use nanobench::nanobench;
use nanobench_examples::{lru::LruCache, random};

/// `setup` makes an input for each call, since sorting changes it.
#[nanobench(setup = || random::numbers(1_000))]
fn sort_in_place(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// All calls of a sample share a cache and keep it warm.
#[nanobench(setup = || LruCache::new(64), every = "sample")]
fn lookup(cache: &mut LruCache<u64, String>) -> usize {
    cache.get_or_insert_with(random::number() % 80, u64::to_string).len()
}

/// All calls of the benchmark share a file. `teardown` removes it at the end.
#[nanobench(setup = write_file, every = "benchmark", teardown = remove_file)]
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn write_file() -> PathBuf {
    let path = std::env::temp_dir().join(format!("nanobench-example-{}", std::process::id()));
    let written = File::create(&path).and_then(|mut file| file.write_all(&[b'x'; 4096]));
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

fn remove_file(path: PathBuf) {
    fs::remove_file(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

type Index = BTreeMap<&'static str, Vec<usize>>;

/// Returns the positions of each word in the license. It is called once, for all benchmarks that
/// name it as their fixture.
fn index() -> Index {
    let mut index = Index::new();
    for (position, word) in include_str!("../../LICENSE-APACHE").split_whitespace().enumerate() {
        index.entry(word).or_default().push(position);
    }
    index
}

/// Finds the positions of a word.
#[nanobench(fixture = index)]
fn find_word(index: &Index) -> Option<usize> {
    index.get(black_box("License")).map(Vec::len)
}

/// Finds the words with a prefix.
#[nanobench(fixture = index, args = ["c", "contrib"])]
fn find_prefix(prefix: &str, index: &Index) -> usize {
    index.range(prefix..).take_while(|(word, _)| word.starts_with(prefix)).count()
}
