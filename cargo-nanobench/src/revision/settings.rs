//! Settings of the working tree's `.cargo/config.toml` that apply to a revision, too: cargo reads
//! those of all folders above the one that it builds, and a revision is usually built below the working
//! tree.

use super::Error;
use crate::cargo::{self, ConfigurationFile};
use crate::git::Repository;
use cargo_config2::Walk;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::iter;
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

/// Settings of one file.
#[derive(Debug, PartialEq)]
pub(crate) struct SettingsOf {
    pub(crate) file: PathBuf,
    /// The keys of the settings: `profile.bench.lto`.
    pub(crate) keys: Vec<String>,
}

/// A setting, and the files that have it. Only a list can have several.
#[derive(Debug)]
struct Setting {
    value: Value,
    files: Vec<PathBuf>,
}

/// Returns the settings that the revision in this folder has from the working tree alone. Those of
/// files that git ignores are meant for both. Files are relative to the workspace.
pub(super) fn shared(
    repository: &Repository,
    workspace: &Path,
    folder: &Path,
    tree: &Path,
) -> Result<Vec<SettingsOf>, Error> {
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
    let read = |files: &[PathBuf]| files.iter().flat_map(|file| cargo::read_configuration(file)).collect();
    let mut shared = only_in(read(&of_working_tree), read(&own));
    let workspace = real(workspace).unwrap_or_else(|| workspace.to_owned());
    shared.iter_mut().for_each(|settings| settings.file = relative(&settings.file, &workspace));
    Ok(shared)
}

/// Returns a file's path from a folder: `../.cargo/config.toml`.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let common = folder.ancestors().enumerate().find_map(|(up, above)| {
        let rest = file.strip_prefix(above).ok()?;
        Some(iter::repeat_n(Path::new(".."), up).chain([rest]).collect())
    });
    common.unwrap_or_else(|| file.to_owned())
}

/// Returns the settings that only the first ones of these files have. Lists in several files are
/// joined, so the second ones don't replace them.
fn only_in(these: Vec<ConfigurationFile>, others: Vec<ConfigurationFile>) -> Vec<SettingsOf> {
    let others = settings(others);
    let is_replaced = |key: &str, value: &Value| {
        others.get(key).is_some_and(|other| !value.is_array() || *value == other.value)
    };
    let mut by_file: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for (key, Setting { value, files }) in settings(these) {
        if !is_replaced(&key, &value) {
            files.into_iter().for_each(|file| by_file.entry(file).or_default().push(key.clone()));
        }
    }
    by_file.into_iter().map(|(file, keys)| SettingsOf { file, keys }).collect()
}

/// Returns the relevant settings of TOML files, by their keys: `profile.bench.lto`. The first file
/// wins, but lists are joined. Cargo reports invalid ones.
fn settings(files: Vec<ConfigurationFile>) -> BTreeMap<String, Setting> {
    let mut settings = BTreeMap::new();
    for ConfigurationFile { path, text } in files {
        if let Ok(table) = text.parse::<Table>() {
            add(&mut settings, "", &path, table);
        }
    }
    settings
}

fn add(settings: &mut BTreeMap<String, Setting>, prefix: &str, file: &Path, table: Table) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        match value {
            // A variable is a text, or a table with the text.
            Value::Table(table) if prefix != "env." => add(settings, &format!("{key}."), file, table),
            value if is_relevant(&key) => match settings.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(Setting { value, files: vec![file.to_owned()] });
                }
                Entry::Occupied(mut known) => known.get_mut().join(value, file),
            },
            _ => {}
        }
    }
}

impl Setting {
    /// Joins a list with that of another file. Other values stay as they are.
    fn join(&mut self, other: Value, file: &Path) {
        if let (Value::Array(all), Value::Array(more)) = (&mut self.value, other)
            && *all != more
        {
            all.extend(more);
            self.files.push(file.to_owned());
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

    fn file(name: &str, text: &str) -> ConfigurationFile {
        ConfigurationFile { path: name.into(), text: text.to_owned() }
    }

    fn of(name: &str, keys: &[&str]) -> SettingsOf {
        SettingsOf { file: name.into(), keys: keys.iter().map(|&key| key.to_owned()).collect() }
    }

    fn only_in_first(these: &str, others: &str) -> Vec<String> {
        let found = only_in(vec![file("here", these)], vec![file("there", others)]);
        found.into_iter().flat_map(|settings| settings.keys).collect()
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
        let near = file("near", "[build]\nrustflags = [\"-Ca=b\"]\n[profile.bench]\nlto = true\n");
        let far = file("far", "[build]\nrustflags = [\"-Cc=d\"]\n[profile.bench]\nlto = false\n");
        let found = settings(vec![near.clone(), far.clone()]);
        assert_eq!(found["profile.bench.lto"].value, Value::Boolean(true));
        assert_eq!(found["build.rustflags"].value.as_array().map(Vec::len), Some(2));
        let both = vec![near, far.clone()];
        let joined = of("far", &["build.rustflags"]);
        assert_eq!(only_in(both.clone(), vec![far]), [joined, of("near", &["build.rustflags"])]);
        let all = of("near", &["build.rustflags", "profile.bench.lto"]);
        assert_eq!(only_in(both, vec![]), [of("far", &["build.rustflags"]), all]);
    }

    #[test]
    fn files_are_named_from_the_workspace() {
        let from = |file: &str| relative(Path::new(file), Path::new("/a/b/c"));
        assert_eq!(from("/a/b/c/.cargo/config.toml"), Path::new(".cargo/config.toml"));
        assert_eq!(from("/a/.cargo/config.toml"), Path::new("../../.cargo/config.toml"));
        assert_eq!(from("/a/b/d/config.toml"), Path::new("../d/config.toml"));
        assert_eq!(from("elsewhere"), Path::new("elsewhere"));
    }

    #[test]
    fn invalid_configuration_has_no_settings() {
        assert!(only_in_first("[env", "").is_empty());
    }
}
