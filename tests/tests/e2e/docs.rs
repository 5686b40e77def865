//! The documentation: its links, its line length, its examples, and the fields that it describes.

use nanobench_tests::{Fixture, repository};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Longest line of prose, in characters. Tables, headings and lines with links may be longer.
const MAX_WIDTH: usize = 100;

#[test]
fn links_lead_to_files_and_headings() {
    let pages = pages();
    let headings: HashMap<&Path, BTreeSet<String>> =
        pages.iter().map(|(path, text)| (path.as_path(), headings(text))).collect();
    let docs = repository().join("docs").canonicalize().expect("there are docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("the book has a summary");
    let book: BTreeSet<PathBuf> = links(&summary).iter().map(|page| docs.join(page)).collect();
    let is_in_book = |path: &Path| match path.extension().is_some_and(|extension| extension == "md") {
        true => book.contains(path),
        false => path.starts_with(&docs),
    };
    let mut broken = Vec::new();
    for (path, text) in &pages {
        for link in links(text).into_iter().filter(|link| !link.starts_with("http")) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let folder = path.parent().unwrap();
            let target = if file.is_empty() { path.clone() } else { folder.join(file) };
            let Ok(target) = target.canonicalize() else {
                broken.push(format!("{}: no file for {link}", path.display()));
                continue;
            };
            if is_in_book(path) && !is_in_book(&target) {
                broken.push(format!("{}: {link} leads out of the book", path.display()));
            }
            let is_there = || headings.get(target.as_path()).is_some_and(|known| known.contains(heading));
            if !heading.is_empty() && !is_there() {
                broken.push(format!("{}: no heading for {link}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn lines_of_prose_fit() {
    let mut too_long = Vec::new();
    for (path, text) in pages() {
        for line in prose(&text) {
            let may_be_longer = line.starts_with(['|', '#']) || line.contains("](");
            if line.chars().count() > MAX_WIDTH && !may_be_longer {
                too_long.push(format!("{}: {line}", path.display()));
            }
        }
    }
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
}

#[test]
fn the_page_on_json_has_all_fields_of_the_schema() {
    let read = |path: &str| fs::read_to_string(repository().join(path)).unwrap();
    let (page, schema) = (read("docs/reference/formats.md"), read("docs/reference/report.schema.json"));
    let mut fields = BTreeSet::new();
    properties(&serde_json::from_str(&schema).unwrap(), &mut fields);
    assert!(fields.len() > 150, "fields are no longer found in the schema: {fields:?}");
    let missing: Vec<_> = fields.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "not described: {missing:?}");
}

/// Adds the names of all properties in a schema.
fn properties(schema: &Value, names: &mut BTreeSet<String>) {
    if let Some(Value::Object(properties)) = schema.get("properties") {
        names.extend(properties.keys().cloned());
    }
    match schema {
        Value::Object(parts) => parts.values().for_each(|part| properties(part, names)),
        Value::Array(parts) => parts.iter().for_each(|part| properties(part, names)),
        _ => {}
    }
}

#[test]
fn each_line_of_the_five_documents_has_a_test() {
    let root = repository();
    let crates = ["tests/tests", "nanobench-core", "nanobench-macros", "cargo-nanobench"];
    let files = crates.iter().flat_map(|folder| walkdir::WalkDir::new(root.join(folder))).flatten();
    let files = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "rs"));
    let sources: String = files.map(|file| fs::read_to_string(file.path()).unwrap()).collect();
    let sources = sources.replace("\\\"", "\"");
    let page = fs::read_to_string(root.join("docs/internals/five-documents.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.ends_with("| test |"));
    let tests: Vec<&str> = rows.filter_map(|row| row.trim_end_matches(" |").rsplit(" | ").next()).collect();
    assert!(tests.len() > 150, "rows are no longer found");
    for test in tests {
        let parts: Vec<&str> = test.split("check \"").collect();
        let checks = parts.iter().skip(1).filter_map(|part| part.rsplit_once('"')).map(|(check, _)| check);
        let missing = checks.clone().find(|check| !sources.contains(*check));
        assert_eq!(missing, None, "there is no such check");
        let without_checks = parts.iter().enumerate().map(|(index, part)| match index {
            0 => part,
            _ => part.rsplit_once('"').map_or("", |(_, rest)| rest),
        });
        let words: Vec<&str> = without_checks.flat_map(|part| part.split('`').skip(1).step_by(2)).collect();
        let is_missing = |name: &&&str| {
            let name = name.rsplit("::").next().unwrap_or(name);
            !["fn", "mod"].iter().any(|word| sources.contains(&format!("{word} {name}")))
        };
        assert_eq!(words.iter().find(is_missing), None, "there is no such test");
        assert!(!words.is_empty() || checks.count() > 0 || test == "none", "{test}");
    }
}

#[test]
fn examples_of_ported_benchmarks_compile_and_run() {
    let fixture = Fixture::to_edit("ported");
    for page in ["from-criterion", "from-divan"] {
        let text = fs::read_to_string(repository().join(format!("docs/moving/{page}.md"))).unwrap();
        let examples: Vec<String> = code(&text, "rust").map(in_module).collect();
        assert!(examples.len() > 2, "{page}: examples are no longer found");
        let functions: usize = examples.iter().map(|example| example.matches("#[nanobench").count()).sum();
        fixture.write(format!("benches/{page}.rs"), examples.concat());
        let run = fixture.nanobench(&format!("--bench {page} --format json --max-time 1ms")).run();
        let report = run.exits(0).json();
        let names = report.benchmarks.iter().map(|row| row.id.split('/').next());
        let measured: BTreeSet<_> = names.collect();
        assert_eq!(measured.len(), functions, "{page}: {measured:?}");
    }
}

/// Returns the code blocks of a language, as it is written after the fence.
fn code<'a>(text: &'a str, language: &'a str) -> impl Iterator<Item = &'a str> {
    let blocks = text.split("\n```").skip(1).step_by(2);
    blocks
        .filter_map(move |block| block.split_once('\n'))
        .filter(move |(info, _)| *info == language)
        .map(|(_, code)| code)
}

/// Returns an example as a module of its own, with the names that the examples of a page share.
fn in_module(example: &str) -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("mod example_{number} {{\nuse nanobench::nanobench;\nuse ported::*;\n{example}\n}}\n")
}

/// Returns the pages for users and contributors, each with its text.
fn pages() -> Vec<(PathBuf, String)> {
    let root = repository();
    let docs = walkdir::WalkDir::new(root.join("docs")).into_iter();
    let docs = docs.map(|entry| entry.expect("docs can be listed").into_path());
    let at_the_root = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name));
    docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .chain(at_the_root)
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a page is text");
            (path.canonicalize().expect("a page exists"), text)
        })
        .collect()
}

/// Returns the lines outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// Returns the targets of all links `[text](target)`.
fn links(text: &str) -> Vec<String> {
    let text: Vec<&str> = prose(text).collect();
    let text = text.join("\n");
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

/// Returns the headings as links name them.
fn headings(text: &str) -> BTreeSet<String> {
    let titles = prose(text).filter(|line| line.starts_with('#'));
    let as_anchor = |title: &str| {
        let title = title.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        title.chars().filter(|&c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    titles.map(as_anchor).collect()
}
