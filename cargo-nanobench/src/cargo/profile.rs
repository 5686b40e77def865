//! What manifest and configuration say of the profile that is built with, and of those that it inherits.

use super::Project;
use crate::cli::CargoArgs;
use cargo_config2::Walk;
use std::collections::BTreeMap;
use std::path::Path;
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
        let elsewhere = args.common.elsewhere.as_ref().map(|elsewhere| elsewhere.folder.clone());
        let folder = elsewhere.or_else(|| env::current_dir().ok()).unwrap_or_default();
        let read = |path: &Path| fs::read_to_string(path).ok();
        // A key and its value, or the path of a file. The last one wins.
        let given = args.common.config.iter().rev();
        let given = given.map(|given| read(Path::new(given)).unwrap_or(given.clone()));
        let files = Walk::new(&folder).filter_map(|path| read(&path));
        let manifest = read(&project.root().join("Cargo.toml"));
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
    fn numbers_and_texts_of_them_are_the_same_setting() {
        let as_number = settings("bench", &[], &["profile.release.opt-level = 2"]);
        assert_eq!(as_number, settings("bench", &[], &["profile.release.opt-level = \"2\""]));
        let variable = |name: &str| (name == "CARGO_PROFILE_RELEASE_OPT_LEVEL").then(|| "2".to_owned());
        assert_eq!(as_number, Profile::of("bench", [], [], variable).settings());
    }
}
