//! What manifest and configuration say of the profile that is built with, and of those that it inherits.

use super::Project;
use crate::cli::CargoArgs;
use cargo_config2::Walk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};
use toml::{Table, Value};

/// The settings that the environment can give: `CARGO_PROFILE_RELEASE_LTO`. Which of all variables are of a profile can't be
/// told by their names.
const KEYS: [&str; 12] = [
    "codegen-units",
    "debug",
    "debug-assertions",
    "incremental",
    "inherits",
    "lto",
    "opt-level",
    "overflow-checks",
    "panic",
    "rpath",
    "split-debuginfo",
    "strip",
];

/// A profile.
#[derive(Debug)]
pub(super) struct Profile {
    /// Itself, what it inherits, and so on: name, and what says something of it, the strongest first.
    chain: Vec<(String, Vec<Table>)>,
}

impl Profile {
    /// Reads all that cargo would read. What can't be read is cargo's to complain of.
    pub(super) fn read(project: &Project, args: &CargoArgs) -> Profile {
        let other_tree = args.common.other_tree.as_ref().map(|other_tree| other_tree.folder.clone());
        let folder = other_tree.or_else(|| env::current_dir().ok()).unwrap_or_default();
        // A key and its value, or the path of a file. The last one wins.
        let given = args.common.config.iter().rev();
        let given = given.flat_map(|given| match file(Path::new(given), &mut Vec::new()) {
            none if none.is_empty() => with_included(given.clone(), &folder, &mut Vec::new()),
            texts => texts,
        });
        let files = Walk::new(&folder).flat_map(|path| file(&path, &mut Vec::new()));
        let manifest = fs::read_to_string(project.root().join("Cargo.toml")).ok();
        Profile::of(args.profile(), given, files.chain(manifest), |name| env::var(name).ok())
    }

    /// Of the texts, the stronger stand first. A variable stands between what is `given` and the `files`.
    pub(super) fn of(
        profile: &str,
        given: impl IntoIterator<Item = String>,
        files: impl IntoIterator<Item = String>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Profile {
        let (given, files) = (profiles(given), profiles(files));
        let mut chain: Vec<(String, Vec<Table>)> = Vec::new();
        let mut next = Some(profile.to_owned());
        while let Some(name) = next.take().filter(|name| !chain.iter().any(|(known, _)| known == name)) {
            let of = |tables: &[Table]| -> Vec<Table> {
                tables.iter().filter_map(|table| table.get(&name)?.as_table().cloned()).collect()
            };
            let tables = [of(&given), vec![by_variables(&name, &variable)], of(&files)].concat();
            next = inherited(&name, &tables);
            chain.push((name, tables));
        }
        Profile { chain }
    }

    /// As it was asked for.
    pub(super) fn name(&self) -> &str {
        self.chain.first().map_or("", |(name, _)| name)
    }

    /// Whether it is made of `release`; the others are for debugging, or there are no such.
    pub(super) fn is_for_speed(&self) -> bool {
        self.chain.last().is_some_and(|(name, _)| name == "release")
    }

    /// Whether anything is said of this setting, for all packages.
    pub(super) fn says(&self, key: &str) -> bool {
        self.tables().any(|table| table.contains_key(key))
    }

    /// All that is said of it, the strongest first.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.chain.iter().flat_map(|(_, tables)| tables)
    }

    /// What comes of that, in alphabetical order: `lto=fat`, `package.image.opt-level=3`.
    pub(super) fn settings(&self) -> Vec<String> {
        let mut settings = BTreeMap::new();
        self.tables().for_each(|table| add(table, "", &mut settings));
        settings.into_iter().map(|(key, value)| format!("{key}={value}")).collect()
    }
}

/// The text of a configuration file and of those that it includes, the strongest first. Those that are being read already
/// (`above`) are left out, as they would never end.
fn file(path: &Path, above: &mut Vec<PathBuf>) -> Vec<String> {
    let Some(known) = path.canonicalize().ok().filter(|known| !above.contains(known)) else {
        return Vec::new();
    };
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    above.push(known);
    let texts = with_included(text, path.parent().unwrap_or(path), above);
    above.pop();
    texts
}

/// Configuration and what it includes, as seen from a folder: of several files, the last is the strongest.
fn with_included(text: String, folder: &Path, above: &mut Vec<PathBuf>) -> Vec<String> {
    let included = included(&text);
    let files = included.iter().rev().flat_map(|name| file(&folder.join(name), above));
    [text].into_iter().chain(files).collect()
}

/// What `include` names: paths as seen from the file, by themselves or in tables with `optional`.
fn included(text: &str) -> Vec<String> {
    let Some(Value::Array(entries)) =
        text.parse::<Table>().ok().and_then(|mut table| table.remove("include"))
    else {
        return Vec::new();
    };
    let path = |entry: &Value| Some(entry.get("path").unwrap_or(entry).as_str()?.to_owned());
    entries.iter().filter_map(path).collect()
}

/// The tables `profile` of these texts.
fn profiles(texts: impl IntoIterator<Item = String>) -> Vec<Table> {
    let profile = |text: String| match text.parse::<Table>().ok()?.remove("profile")? {
        Value::Table(table) => Some(table),
        _ => None,
    };
    texts.into_iter().filter_map(profile).collect()
}

/// What the environment says of a profile.
fn by_variables(profile: &str, variable: impl Fn(&str) -> Option<String>) -> Table {
    let setting = |key: &str| {
        let name = format!("CARGO_PROFILE_{profile}_{key}").to_uppercase().replace('-', "_");
        Some((key.to_owned(), Value::String(variable(&name)?)))
    };
    KEYS.into_iter().filter_map(setting).collect()
}

/// The profile that this one is made of.
fn inherited(profile: &str, tables: &[Table]) -> Option<String> {
    match profile {
        "bench" => Some("release".to_owned()),
        "test" => Some("dev".to_owned()),
        "release" | "dev" => None,
        _ => tables.iter().find_map(|table| Some(table.get("inherits")?.as_str()?.to_owned())),
    }
}

/// Adds what nothing stronger has said.
fn add(table: &Table, prefix: &str, settings: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            Value::Table(table) => add(table, &format!("{key}."), settings),
            // A number may be one, or a text: both mean the same to cargo.
            Value::String(text) => {
                settings.entry(key).or_insert_with(|| text.clone());
            }
            value => {
                settings.entry(key).or_insert_with(|| value.to_string());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn settings(profile: &str, given: &[&str], files: &[&str]) -> Vec<String> {
        Profile::of(profile, texts(given), texts(files), |_| None).settings()
    }

    #[test]
    fn what_it_inherits_counts_and_the_nearer_wins() {
        let release =
            "[profile.release]\nlto = \"fat\"\nopt-level = 3\n[profile.release.package.a]\nopt-level = 1";
        let of_release = ["lto=fat", "opt-level=3", "package.a.opt-level=1"];
        assert_eq!(settings("bench", &[], &[release]), of_release);
        assert_eq!(settings("release", &[], &[release]), of_release);
        let bench = "[profile.bench]\nopt-level = \"s\"";
        let of_both = ["lto=fat", "opt-level=s", "package.a.opt-level=1"];
        assert_eq!(settings("bench", &[], &[release, bench]), of_both, "whichever file stands first");
        let fast = "[profile.fast]\ninherits = \"bench\"\nlto = false";
        let of_fast = ["inherits=bench", "lto=false", "opt-level=s", "package.a.opt-level=1"];
        assert_eq!(settings("fast", &[], &[fast, release, bench]), of_fast);
        for other in ["dev", "test", "unknown"] {
            assert!(settings(other, &[], &[fast, release, bench]).is_empty(), "{other}");
        }
    }

    #[test]
    fn what_is_given_wins_over_the_environment_and_that_over_files() {
        let (config, manifest) = ("profile.bench.lto = \"thin\"", "[profile.bench]\nlto = true\ndebug = 1");
        assert_eq!(settings("bench", &[], &[config, manifest]), ["debug=1", "lto=thin"]);
        assert_eq!(settings("bench", &["profile.bench.lto=\"fat\""], &[config, manifest])[1], "lto=fat");
        let variable = |name: &str| (name == "CARGO_PROFILE_BENCH_LTO").then(|| "off".to_owned());
        let of = |given: &[&str]| Profile::of("bench", texts(given), texts(&[config]), variable).settings();
        assert_eq!(of(&[]), ["lto=off"]);
        assert_eq!(of(&["profile.bench.lto=\"fat\"", "not toml ["]), ["lto=fat"]);
    }

    #[test]
    fn files_that_are_included_are_weaker_than_what_includes_them_and_the_last_is_the_strongest() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        fs::create_dir(folder.path().join("more")).unwrap();
        let bench = |settings: &str| format!("[profile.bench]\n{settings}");
        let include = "include = [\"first.toml\", { path = \"more/last.toml\" }, { path = \"no.toml\", optional = true }]\n";
        write("config.toml", &(include.to_owned() + &bench("lto = \"fat\"")));
        write("first.toml", &bench("lto = \"thin\"\ndebug = 1\nopt-level = 1"));
        // The first includes this one, so they would go round for ever.
        write(
            "more/last.toml",
            &("include = [\"../config.toml\", \"deep.toml\"]\n".to_owned() + &bench("debug = 2")),
        );
        write("more/deep.toml", &bench("debug = 0\ncodegen-units = 4"));
        let files = file(&folder.path().join("config.toml"), &mut Vec::new());
        let settings = Profile::of("bench", [], files, |_| None).settings();
        assert_eq!(settings, ["codegen-units=4", "debug=2", "lto=fat", "opt-level=1"]);
        let given =
            with_included("include = [\"more/deep.toml\"]".to_owned(), folder.path(), &mut Vec::new());
        assert_eq!(Profile::of("bench", given, [], |_| None).settings(), ["codegen-units=4", "debug=0"]);
    }

    #[test]
    fn numbers_and_texts_of_them_are_the_same_setting() {
        let as_number = settings("bench", &[], &["profile.release.opt-level = 2"]);
        assert_eq!(as_number, settings("bench", &[], &["profile.release.opt-level = \"2\""]));
        let variable = |name: &str| (name == "CARGO_PROFILE_RELEASE_OPT_LEVEL").then(|| "2".to_owned());
        assert_eq!(as_number, Profile::of("bench", [], [], variable).settings());
    }
}
