//! The public items of criterion 0.3 to 0.8, as `surface.txt` lists them.

#![expect(clippy::unwrap_used, reason = "a failed test needs no more than a line")]

mod public_items;

use proc_macro2::{TokenStream, TokenTree};
use public_items::{features, items_of_crate};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

const VERSIONS: [&str; 6] = ["0.3.6", "0.4.0", "0.5.1", "0.6.0", "0.7.0", "0.8.2"];

/// The treatment of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// It does what it does in criterion.
    Served,
    /// It has no effect.
    Accepted,
    /// It is an error, which says why.
    Refused,
}

/// A line of `surface.txt`.
#[derive(Debug)]
struct Listed {
    status: Status,
    /// The minor versions of criterion that have it.
    versions: RangeInclusive<usize>,
}

fn package() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the items of `surface.txt`.
fn listed() -> BTreeMap<String, Listed> {
    let text = read(&package().join("surface.txt"));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| parsed(line).unwrap_or_else(|| panic!("wrong line: {line}"))).collect()
}

fn parsed(line: &str) -> Option<(String, Listed)> {
    let line = line.split_once("  # ").map_or(line, |(line, _reason)| line).trim_end();
    let (status, rest) = line.split_once(' ')?;
    let (versions, item) = rest.trim_start().split_once(' ')?;
    let status = match status {
        "served" => Status::Served,
        "accepted" => Status::Accepted,
        "refused" => Status::Refused,
        _ => return None,
    };
    let minor = |version: &str| version.strip_prefix("0.")?.parse().ok();
    let (first, last) = versions.split_once('-').unwrap_or((versions, versions));
    Some((item.trim_start().to_owned(), Listed { status, versions: minor(first)?..=minor(last)? }))
}

/// Returns whether an item is an item of code, and neither a feature nor a flag.
fn is_code(item: &str) -> bool {
    !item.starts_with("feature ") && !item.starts_with("flag ")
}

#[test]
fn each_item_of_the_crate_is_listed() {
    let mut items = items_of_crate(&package().join("src"));
    items.extend(features(&read(&package().join("Cargo.toml"))));
    let ours = ["feature criterion-0_3", "feature regex"].map(str::to_owned);
    let items: BTreeSet<String> = items.into_iter().filter(|item| !ours.contains(item)).collect();
    let listed = listed();
    let expected = listed.iter().filter(|(item, listed)| {
        !item.starts_with("flag ") && (listed.status != Status::Refused || item.starts_with("feature "))
    });
    let expected: BTreeSet<String> = expected.map(|(item, _)| item.clone()).collect();
    let of = |from: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        from.difference(other).cloned().collect()
    };
    let (not_listed, missing) = (of(&items, &expected), of(&expected, &items));
    assert!(
        not_listed.is_empty() && missing.is_empty(),
        "not listed: {not_listed:#?}, missing: {missing:#?}"
    );
}

/// The suites are compiled, so a use in them compiles.
#[test]
fn each_item_is_used_in_a_suite() {
    let mut used = BTreeSet::new();
    for folder in ["tests/suites", "tests/suites/suite"] {
        for file in fs::read_dir(package().join(folder)).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                words(read(&path).parse().unwrap(), &mut used);
            }
        }
    }
    let listed = listed();
    let items = listed.keys().filter(|item| is_code(item) && !item.starts_with("impl "));
    let unused: Vec<&String> = items.filter(|item| !used.contains(last_word(item))).collect();
    assert!(unused.is_empty(), "not used in a suite: {unused:#?}");
}

/// Adds all identifiers of a source text.
fn words(source: TokenStream, words_so_far: &mut BTreeSet<String>) {
    for token in source {
        match token {
            TokenTree::Ident(word) => _ = words_so_far.insert(word.to_string()),
            TokenTree::Group(group) => words(group.stream(), words_so_far),
            _ => {}
        }
    }
}

fn last_word(item: &str) -> &str {
    item.rsplit("::").next().unwrap_or(item).trim_end_matches('!')
}

/// Compares the list with all versions of criterion, whose sources cargo has to have: `cargo fetch` in
/// a package that depends on them.
#[test]
#[ignore = "needs the sources of six versions of criterion in cargo's registry"]
fn the_list_is_that_of_criterion() {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo"));
    let registries: Vec<PathBuf> =
        fs::read_dir(home.join("registry/src")).unwrap().map(|folder| folder.unwrap().path()).collect();
    let mut versions: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for version in VERSIONS {
        let folder = registries.iter().map(|folder| folder.join(format!("criterion-{version}")));
        let folder = folder.into_iter().find(|folder| folder.is_dir());
        let folder = folder.unwrap_or_else(|| panic!("criterion {version} is not in the registry"));
        let mut items = items_of_crate(&folder.join("src"));
        items.extend(features(&read(&folder.join("Cargo.toml"))));
        items.extend(public_items::flags(&read(&folder.join("src/lib.rs"))));
        let minor = version.split('.').nth(1).unwrap().parse().unwrap();
        for item in items {
            versions.entry(item).or_default().push(minor);
        }
    }
    let originals: BTreeMap<String, String> =
        versions.into_iter().map(|(item, versions)| (item, format!("{versions:?}"))).collect();
    let listed = listed().into_iter();
    let listed: BTreeMap<String, String> =
        listed.map(|(item, listed)| (item, format!("{:?}", listed.versions.collect::<Vec<_>>()))).collect();
    let differing = |from: &BTreeMap<String, String>, other: &BTreeMap<String, String>| -> Vec<String> {
        let differing = from.iter().filter(|(item, versions)| other.get(*item) != Some(versions));
        differing.map(|(item, versions)| format!("{versions} {item}")).collect()
    };
    let (missing, wrong) = (differing(&originals, &listed), differing(&listed, &originals));
    assert!(missing.is_empty() && wrong.is_empty(), "in criterion: {missing:#?}, in the list: {wrong:#?}");
}
