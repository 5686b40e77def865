//! Settings of the working tree's `.cargo/config.toml` that apply to a revision, too: cargo reads
//! those of all folders above the one that it builds, and a revision is usually built below the working
//! tree.

use super::Error;
use crate::cargo;
use crate::git::Repository;
use cargo_config2::Walk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The tables and values that decide what is compiled, or how it runs.
const RELEVANT: [&str; 12] = [
    "build.incremental",
    "build.rustc",
    "build.rustc-workspace-wrapper",
    "build.rustc-wrapper",
    "build.rustflags",
    "build.target",
    "env",
    "patch",
    "paths",
    "profile",
    "target",
    "unstable",
];
/// Values that change neither.
const IRRELEVANT: [&str; 2] = ["linker", "runner"];

/// Returns the settings, by their keys, that the revision in this folder has from the working tree
/// alone. Those of files that git ignores are meant for both.
pub(super) fn shared(repository: &Repository, folder: &Path, tree: &Path) -> Result<Vec<String>, Error> {
    let real = |path: &Path| path.canonicalize().ok();
    let (Some(folder), Some(tree), Some(top)) = (real(folder), real(tree), real(repository.root())) else {
        return Ok(Vec::new());
    };
    let (own, others): (Vec<PathBuf>, Vec<PathBuf>) =
        Walk::new(&folder).partition(|file| file.starts_with(&tree));
    let mut of_working_tree = Vec::new();
    for file in others {
        if let Ok(relative) = file.strip_prefix(&top)
            && !repository.ignores(relative)?
        {
            of_working_tree.push(file);
        }
    }
    let texts = |files: &[PathBuf]| files.iter().flat_map(|file| cargo::configuration_texts(file)).collect();
    Ok(only_in(texts(&of_working_tree), texts(&own)))
}

/// Returns the keys of the settings that only the first ones of these TOML texts have. Lists in several
/// files are joined, so the second ones don't replace them.
fn only_in(these: Vec<String>, others: Vec<String>) -> Vec<String> {
    let others = settings(others);
    let is_replaced =
        |key: &str, value: &Value| others.get(key).is_some_and(|other| !value.is_array() || value == other);
    settings(these).into_iter().filter(|(key, value)| !is_replaced(key, value)).map(|(key, _)| key).collect()
}

/// Returns the relevant settings of TOML texts, by their keys: `profile.bench.lto`. The first text wins,
/// but lists are joined. Cargo reports invalid ones.
fn settings(texts: Vec<String>) -> BTreeMap<String, Value> {
    let mut settings = BTreeMap::new();
    for table in texts.iter().filter_map(|text| text.parse::<Table>().ok()) {
        add(&mut settings, "", table);
    }
    settings
}

fn add(settings: &mut BTreeMap<String, Value>, prefix: &str, table: Table) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        match value {
            // A variable is a text, or a table with the text.
            Value::Table(table) if prefix != "env." => add(settings, &format!("{key}."), table),
            value if is_relevant(&key) => match (settings.entry(key).or_insert_with(|| value.clone()), value)
            {
                (Value::Array(all), Value::Array(more)) if *all != more => all.extend(more),
                _ => {}
            },
            _ => {}
        }
    }
}

fn is_relevant(key: &str) -> bool {
    let is_within =
        |table: &&str| key.strip_prefix(*table).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let name = key.rsplit('.').next().unwrap_or(key);
    RELEVANT.iter().any(is_within) && !(key.starts_with("target.") && IRRELEVANT.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only_in_first(these: &str, others: &str) -> Vec<String> {
        only_in(vec![these.to_owned()], vec![others.to_owned()])
    }

    #[test]
    fn settings_that_decide_about_code_and_variables_are_found() {
        let here = "[env]\nSTEPS = \"2\"\nSIZE = { value = \"3\", force = true }\n[profile.bench]\nlto = true\n\
                    [target.x86_64-unknown-linux-gnu]\nlinker = \"cc\"\nrustflags = [\"-Ca=b\"]\n\
                    [alias]\nb = \"build\"\n[build]\njobs = 1\nrustflags = \"-Cc=d\"\n";
        let found = only_in_first(here, "");
        let expected = ["build.rustflags", "env.SIZE", "env.STEPS", "profile.bench.lto"];
        assert_eq!(found[..4], expected);
        assert_eq!(found[4..], ["target.x86_64-unknown-linux-gnu.rustflags"]);
    }

    #[test]
    fn the_revisions_own_settings_replace_all_but_lists() {
        let here = "[env]\nSTEPS = \"2\"\n[build]\nrustflags = [\"-Ca=b\"]\n";
        assert!(only_in_first(here, here).is_empty());
        let there = "[env]\nSTEPS = { value = \"1\" }\n[build]\nrustflags = [\"-Cc=d\"]\n";
        assert_eq!(only_in_first(here, there), ["build.rustflags"]);
    }

    #[test]
    fn the_nearest_of_several_files_wins_except_for_lists() {
        let near = "[build]\nrustflags = [\"-Ca=b\"]\n[profile.bench]\nlto = true\n";
        let far = "[build]\nrustflags = [\"-Cc=d\"]\n[profile.bench]\nlto = false\n";
        let found = settings(vec![near.to_owned(), far.to_owned()]);
        assert_eq!(found["profile.bench.lto"], Value::Boolean(true));
        assert_eq!(found["build.rustflags"].as_array().map(Vec::len), Some(2));
        assert_eq!(only_in(vec![near.to_owned(), far.to_owned()], vec![far.to_owned()]), ["build.rustflags"]);
    }

    #[test]
    fn invalid_configuration_has_no_settings() {
        assert!(only_in_first("[env", "").is_empty());
    }
}
