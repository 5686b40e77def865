//! The table of options and the pages of the reference, and files that the macros share with the engine.

use nanobench::options::file_keys;
use nanobench_tests::repository;
use std::collections::BTreeSet;
use std::fs;

fn text(path: &str) -> String {
    fs::read_to_string(repository().join(path)).expect("a text file of the repository")
}

/// Returns the cells of the rows of a text's tables.
fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
    let rows = text.lines().map(|line| line.trim_start_matches("/// ")).filter(|line| line.starts_with('|'));
    rows.map(|row| {
        row.replace("\\|", "/").trim_matches('|').split('|').map(|cell| cell.trim().into()).collect()
    })
}

/// Returns the names of the options in a cell: the first word of each code.
fn names(cell: &str) -> impl Iterator<Item = String> {
    let is_in_name = |letter: char| letter.is_ascii_lowercase() || matches!(letter, '_' | '-');
    cell.split('`').skip(1).step_by(2).map(move |code| code.chars().take_while(|c| is_in_name(*c)).collect())
}

#[test]
fn the_macros_have_the_files_of_the_engine() {
    let [engine, macros] = ["nanobench-core/engine", "nanobench-macros"];
    for file in ["option_table.rs", "spelling.rs"] {
        let copies = [engine, macros].map(|package| text(&format!("{package}/src/{file}")));
        assert!(copies[0] == copies[1], "copy {file} of {engine} to {macros}");
    }
}

#[test]
fn the_pages_on_the_attribute_have_its_options() {
    let table = text("nanobench-macros/src/option_table.rs");
    let row = |line: &str| {
        let (name, rest) = line.trim().split_once(": ")?;
        let (_, place) = rest.split_once(") [")?;
        Some((name.to_owned(), place.starts_with("module")))
    };
    let options: BTreeSet<(String, bool)> = table.lines().filter_map(row).collect();
    assert!(options.len() > 40, "the rows of the table are no longer found");
    let (page, source) = (text("docs/reference/attribute.md"), text("nanobench-macros/src/lib.rs"));
    let page = page.split("\n## ").find(|section| section.starts_with("Options\n")).unwrap();
    let source = source.split("/// # ").find(|section| section.contains("| module |")).unwrap();
    for text in [page, source] {
        let of_row =
            |row: Vec<String>| names(&row[0]).map(|name| (name, row[1] == "yes")).collect::<Vec<_>>();
        let described: BTreeSet<(String, bool)> = rows(text).flat_map(of_row).collect();
        assert_eq!(described, options);
    }
}

#[test]
fn the_page_on_the_configuration_file_has_its_keys() {
    let page = text("docs/reference/command-line.md");
    let keys = page.split("\n### ").find(|section| section.starts_with("Keys\n")).unwrap();
    let described: BTreeSet<String> = rows(keys).flat_map(|row| names(&row[1]).collect::<Vec<_>>()).collect();
    assert_eq!(described, file_keys().into_iter().collect());
}
