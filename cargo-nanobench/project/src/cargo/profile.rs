//! The settings of a build's profile and of its ancestors, from manifest, configuration and
//! environment.

use super::Project;
use super::configuration_files::Texts;
use super::options::CargoOptions;
use std::collections::BTreeMap;
use std::{env, fs};
use toml::{Table, Value};

/// The settings that environment variables can set: `CARGO_PROFILE_RELEASE_LTO`. They are listed
/// because the name of a variable doesn't show where the profile's name ends.
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
    /// The profile and its ancestors: their names and tables, in order of precedence.
    chain: Vec<(String, Vec<Table>)>,
    /// The setting that replaces `incremental` of all profiles.
    incremental: Option<Value>,
    /// The text of everything that may have flags for the compiler.
    texts: Vec<String>,
}

impl Profile {
    /// Reads all that cargo would read. Unreadable files are ignored, as cargo reports them.
    pub(super) fn read(project: &Project, args: &CargoOptions) -> Profile {
        let Texts { flags, files } = Texts::read(args);
        let [flags, files] = [flags, files].map(|texts| texts.into_iter().map(|text| text.text));
        let manifest = fs::read_to_string(project.root().join("Cargo.toml")).ok();
        let variables = env::vars_os().filter(|(name, _)| name.to_string_lossy().ends_with("RUSTFLAGS"));
        let variables = variables.map(|(_, value)| value.to_string_lossy().into_owned());
        let mut profile =
            Profile::from_texts(args.profile(), flags, files.chain(manifest), |name| env::var(name).ok());
        profile.texts.extend(variables);
        profile
    }

    /// Creates a profile from TOML texts in order of precedence. Variables rank between `flags` and
    /// `files`.
    pub(super) fn from_texts(
        profile: &str,
        flags: impl IntoIterator<Item = String>,
        files: impl IntoIterator<Item = String>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Profile {
        let (flags, files): (Vec<String>, Vec<String>) =
            (flags.into_iter().collect(), files.into_iter().collect());
        let texts = [&*flags, &*files].concat();
        let (flags, files) = (tables(flags), tables(files));
        let layers = |variables: &str, part: &dyn Fn(&Table) -> Option<Table>| {
            let parts = |tables: &[Table]| tables.iter().filter_map(part).collect::<Vec<Table>>();
            [parts(&flags), vec![from_variables(variables, &variable)], parts(&files)].concat()
        };
        let forced = variable("CARGO_INCREMENTAL").map(|value| Value::Boolean(value == "1"));
        let build = layers("BUILD", &|table| table.get("build")?.as_table().cloned());
        let incremental = forced.or_else(|| build.iter().find_map(|build| build.get("incremental").cloned()));
        let mut chain: Vec<(String, Vec<Table>)> = Vec::new();
        let mut next = Some(profile.to_owned());
        while let Some(name) = next.take().filter(|name| !chain.iter().any(|(known, _)| known == name)) {
            let own = |table: &Table| table.get("profile")?.get(&name)?.as_table().cloned();
            let tables = layers(&format!("PROFILE_{name}"), &own);
            next = inherited(&name, &tables);
            chain.push((name, tables));
        }
        Profile { chain, incremental, texts }
    }

    /// The name that was selected.
    pub(super) fn name(&self) -> &str {
        self.chain.first().map_or("", |(name, _)| name)
    }

    /// Returns whether the profile descends from `release`. All others are for debugging, or don't
    /// exist.
    pub(super) fn is_optimized(&self) -> bool {
        self.chain.last().is_some_and(|(name, _)| name == "release")
    }

    /// Returns whether this setting is given for all packages.
    pub(super) fn sets(&self, key: &str) -> bool {
        self.tables().any(|table| table.contains_key(key))
    }

    /// Returns whether cargo keeps what it compiled of a package of the workspace for the next build.
    pub(super) fn is_incremental(&self, package: &str) -> bool {
        let of_package = self.packages().filter(|(spec, _)| *spec == package);
        let of_package = of_package.filter_map(|(_, settings)| settings.get("incremental"));
        let of_all = self.tables().filter_map(|table| table.get("incremental"));
        let mut set = self.incremental.iter().chain(of_package).chain(of_all);
        set.next().is_some_and(|value| value.as_bool() == Some(true) || value.as_str() == Some("true"))
    }

    /// Returns whether the compiler may get a flag with this in it, for any target.
    pub(super) fn may_pass(&self, flag: &str) -> bool {
        self.texts.iter().any(|text| text.contains(flag))
    }

    /// Returns all tables, in order of precedence.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.chain.iter().flat_map(|(_, tables)| tables)
    }

    /// Returns the overrides for packages: how the package is specified, and the settings.
    pub(super) fn packages(&self) -> impl Iterator<Item = (&str, &Value)> {
        let packages = self.tables().filter_map(|table| table.get("package")?.as_table());
        packages.flatten().map(|(spec, settings)| (spec.as_str(), settings))
    }

    /// Returns the packages that an override sets to `opt-level = 0`, as they are specified there.
    pub(super) fn unoptimized_packages(&self) -> Vec<String> {
        let mut levels: BTreeMap<&str, &Value> = BTreeMap::new();
        for (package, settings) in self.packages() {
            if let Some(level) = settings.get("opt-level") {
                levels.entry(package).or_insert(level);
            }
        }
        let is_none = |level: &Value| level.as_integer() == Some(0) || level.as_str() == Some("0");
        levels
            .into_iter()
            .filter(|(_, level)| is_none(level))
            .map(|(package, _)| package.to_owned())
            .collect()
    }

    /// Returns the effective settings, sorted by name: `lto=fat`, `package.image.opt-level=3`.
    pub(super) fn settings(&self) -> Vec<String> {
        let mut settings = BTreeMap::new();
        self.tables().for_each(|table| add(table, "", &mut settings));
        settings.into_iter().map(|(key, value)| format!("{key}={value}")).collect()
    }
}

/// Parses texts. Invalid ones are left out.
fn tables(texts: Vec<String>) -> Vec<Table> {
    texts.into_iter().filter_map(|text| text.parse().ok()).collect()
}

/// Returns the settings in the environment whose names have this part: `PROFILE_release`.
fn from_variables(part: &str, variable: impl Fn(&str) -> Option<String>) -> Table {
    let setting = |key: &str| {
        let name = format!("CARGO_{part}_{key}").to_uppercase().replace('-', "_");
        Some((key.to_owned(), Value::String(variable(&name)?)))
    };
    KEYS.into_iter().filter_map(setting).collect()
}

/// Returns the parent of a profile.
fn inherited(profile: &str, tables: &[Table]) -> Option<String> {
    match profile {
        "bench" => Some("release".to_owned()),
        "test" => Some("dev".to_owned()),
        "release" | "dev" => None,
        _ => tables.iter().find_map(|table| Some(table.get("inherits")?.as_str()?.to_owned())),
    }
}

/// Adds the settings of a table that no earlier table has set.
fn add(table: &Table, prefix: &str, settings: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            Value::Table(table) => add(table, &format!("{key}."), settings),
            // To cargo, `"2"` and `2` mean the same.
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
    use crate::cargo::configuration_files::{self, Text};

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn settings(profile: &str, given: &[&str], files: &[&str]) -> Vec<String> {
        Profile::from_texts(profile, owned(given), owned(files), |_| None).settings()
    }

    #[test]
    fn nearer_profiles_win_over_their_ancestors() {
        let release =
            "[profile.release]\nlto = \"fat\"\nopt-level = 3\n[profile.release.package.a]\nopt-level = 1";
        let expected = ["lto=fat", "opt-level=3", "package.a.opt-level=1"];
        assert_eq!(settings("bench", &[], &[release]), expected);
        assert_eq!(settings("release", &[], &[release]), expected);
        let bench = "[profile.bench]\nopt-level = \"s\"";
        let merged = ["lto=fat", "opt-level=s", "package.a.opt-level=1"];
        assert_eq!(settings("bench", &[], &[release, bench]), merged, "in any order of files");
        let fast = "[profile.fast]\ninherits = \"bench\"\nlto = false";
        let derived = ["inherits=bench", "lto=false", "opt-level=s", "package.a.opt-level=1"];
        assert_eq!(settings("fast", &[], &[fast, release, bench]), derived);
        for other in ["dev", "test", "unknown"] {
            assert!(settings(other, &[], &[fast, release, bench]).is_empty(), "{other}");
        }
    }

    #[test]
    fn flags_win_over_the_environment_and_that_over_files() {
        let (config, manifest) = ("profile.bench.lto = \"thin\"", "[profile.bench]\nlto = true\ndebug = 1");
        assert_eq!(settings("bench", &[], &[config, manifest]), ["debug=1", "lto=thin"]);
        assert_eq!(settings("bench", &["profile.bench.lto=\"fat\""], &[config, manifest])[1], "lto=fat");
        let variable = |name: &str| (name == "CARGO_PROFILE_BENCH_LTO").then(|| "off".to_owned());
        let with_variable = |given: &[&str]| {
            Profile::from_texts("bench", owned(given), owned(&[config]), variable).settings()
        };
        assert_eq!(with_variable(&[]), ["lto=off"]);
        assert_eq!(with_variable(&["profile.bench.lto=\"fat\"", "not toml ["]), ["lto=fat"]);
    }

    #[test]
    fn included_files_rank_after_the_including_one_and_the_last_first() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        fs::create_dir(folder.path().join("more")).unwrap();
        let bench = |settings: &str| format!("[profile.bench]\n{settings}");
        let include = "include = [\"first.toml\", { path = \"more/last.toml\" }, { path = \"no.toml\", optional = true }]\n";
        write("config.toml", &(include.to_owned() + &bench("lto = \"fat\"")));
        write("first.toml", &bench("lto = \"thin\"\ndebug = 1\nopt-level = 1"));
        // `config.toml` includes this file, so the two include each other.
        write(
            "more/last.toml",
            &("include = [\"../config.toml\", \"deep.toml\"]\n".to_owned() + &bench("debug = 2")),
        );
        write("more/deep.toml", &bench("debug = 0\ncodegen-units = 4"));
        let texts = |read: Vec<Text>| read.into_iter().map(|text| text.text).collect::<Vec<_>>();
        let files = texts(configuration_files::read(&folder.path().join("config.toml")));
        let settings = Profile::from_texts("bench", [], files, |_| None).settings();
        assert_eq!(settings, ["codegen-units=4", "debug=2", "lto=fat", "opt-level=1"]);
        let included = "include = [\"more/deep.toml\"]";
        let given = texts(configuration_files::with_included(included, folder.path()));
        assert_eq!(
            Profile::from_texts("bench", given, [], |_| None).settings(),
            ["codegen-units=4", "debug=0"]
        );
    }

    #[test]
    fn numbers_may_be_strings() {
        let as_number = settings("bench", &[], &["profile.release.opt-level = 2"]);
        assert_eq!(as_number, settings("bench", &[], &["profile.release.opt-level = \"2\""]));
        let variable = |name: &str| (name == "CARGO_PROFILE_RELEASE_OPT_LEVEL").then(|| "2".to_owned());
        assert_eq!(as_number, Profile::from_texts("bench", [], [], variable).settings());
    }

    #[test]
    fn overrides_without_optimisation_are_found() {
        let text = "[profile.bench.package.a]\nopt-level = 0\n[profile.bench.package.b]\nopt-level = 2\n\
                    [profile.release.package.\"*\"]\nopt-level = \"0\"\n[profile.release.package.b]\nopt-level = 0\n\
                    [profile.dev.package.c]\nopt-level = 0";
        let profile = Profile::from_texts("bench", [], [text.to_owned()], |_| None);
        assert_eq!(profile.unoptimized_packages(), ["*", "a"]);
    }
}
