//! One codegen unit for the packages that are being worked on, unless their profile says how many.
//!
//! The compiler parts a crate in up to 16 units, by size, and inlines within a unit more than across. So an edit that makes one
//! function longer can part the crate otherwise, and truly change the machine code of functions that nobody touched. With
//! one unit, what is compiled follows from what is written. Dependencies that are not edited stay as they are, and shared
//! with other builds.

use super::Project;
use crate::cli::CargoArgs;
use cargo_config2::Walk;
use std::path::Path;
use std::{env, fs};
use toml::Table;

/// Settings for `--config`: one for each package that is to have one unit.
pub(super) fn settings(project: &Project, args: &CargoArgs) -> Vec<String> {
    let is_set = |variable: &str| env::var_os(variable).is_some();
    let profiles = Profiles::read(project, args);
    profiles.settings(args.profile(), &project.local_packages(), is_set)
}

/// The tables `profile` of manifest and configuration.
#[derive(Debug, Default)]
struct Profiles(Vec<Table>);

impl Profiles {
    /// Reads all that cargo would read. What can't be read is cargo's to complain of.
    fn read(project: &Project, args: &CargoArgs) -> Profiles {
        let elsewhere = args.common.elsewhere.as_ref().map(|elsewhere| elsewhere.folder.clone());
        let folder = elsewhere.or_else(|| env::current_dir().ok()).unwrap_or_default();
        let read = |path: &Path| fs::read_to_string(path).ok();
        // A key and its value, or the path of a file.
        let given = args.common.config.iter().map(|given| read(Path::new(given)).unwrap_or(given.clone()));
        let files = Walk::new(&folder).filter_map(|path| read(&path));
        let manifest = read(&project.root().join("Cargo.toml"));
        Profiles::of(files.chain(manifest).chain(given))
    }

    fn of(texts: impl IntoIterator<Item = String>) -> Profiles {
        let profile = |text: String| match text.parse::<Table>().ok()?.remove("profile")? {
            toml::Value::Table(table) => Some(table),
            _ => None,
        };
        Profiles(texts.into_iter().filter_map(profile).collect())
    }

    fn settings(&self, profile: &str, packages: &[&str], is_set: impl Fn(&str) -> bool) -> Vec<String> {
        let chain = self.chain(profile);
        let says = |name: &String| {
            let variable = name.to_uppercase().replace('-', "_");
            let by_variable = |key| is_set(&format!("CARGO_PROFILE_{variable}_{key}"));
            let by_table = self
                .tables(name)
                .any(|table| ["codegen-units", "incremental"].iter().any(|key| table.contains_key(*key)));
            by_table || ["CODEGEN_UNITS", "INCREMENTAL"].into_iter().any(by_variable)
        };
        // Builds for debugging are incremental, in many units.
        let is_for_speed = chain.last().is_some_and(|name| name == "release");
        if !is_for_speed || chain.iter().any(says) {
            return Vec::new();
        }
        let setting = |name: &&str| format!("profile.{profile}.package.\"{name}\".codegen-units=1");
        packages.iter().filter(|name| !self.mention(&chain, name)).map(setting).collect()
    }

    /// The profile, what it inherits, and so on.
    fn chain(&self, profile: &str) -> Vec<String> {
        let mut chain = vec![profile.to_owned()];
        while let Some(last) = chain.last() {
            let next = match last.as_str() {
                "bench" => Some("release"),
                "test" => Some("dev"),
                "release" | "dev" => None,
                other => self.tables(other).find_map(|table| table.get("inherits")?.as_str()),
            };
            match next {
                Some(next) if !chain.iter().any(|name| name == next) => chain.push(next.to_owned()),
                _ => break,
            }
        }
        chain
    }

    /// Whether the profiles say how many units this package has, or name it otherwise than we would: cargo takes no two specs
    /// for one package.
    fn mention(&self, chain: &[String], package: &str) -> bool {
        let packages =
            chain.iter().flat_map(|name| self.tables(name)).filter_map(|table| table.get("package"));
        let mut specs = packages.filter_map(toml::Value::as_table).flatten();
        specs.any(|(spec, settings)| {
            let is_other_name = spec.contains("//") || spec.split(['@', ':']).next() == Some(package);
            if spec == package { settings.get("codegen-units").is_some() } else { is_other_name }
        })
    }

    fn tables<'a>(&'a self, profile: &'a str) -> impl Iterator<Item = &'a Table> {
        self.0.iter().filter_map(move |table| table.get(profile)?.as_table())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(profile: &str, texts: &[&str]) -> Vec<String> {
        let profiles = Profiles::of(texts.iter().map(|text| (*text).to_owned()));
        profiles.settings(profile, &["a", "b"], |_| false)
    }

    fn of_bench(packages: &[&str]) -> Vec<String> {
        packages.iter().map(|name| format!("profile.bench.package.\"{name}\".codegen-units=1")).collect()
    }

    #[test]
    fn each_package_has_one_where_nobody_says_otherwise() {
        assert_eq!(settings("bench", &[]), of_bench(&["a", "b"]));
        let other = "[profile.release]\nlto = true\n[profile.dev]\ncodegen-units = 4\n[profile.bench.package.a]\nopt-level = 2";
        assert_eq!(settings("bench", &[other, "not toml ["]), of_bench(&["a", "b"]));
        assert_eq!(settings("fast", &["[profile.fast]\ninherits = \"release\""]).len(), 2);
    }

    #[test]
    fn what_the_profile_or_one_that_it_inherits_says_stands() {
        for text in [
            "profile.bench.codegen-units=16",
            "[profile.release]\ncodegen-units = 16",
            "[profile.release]\nincremental = true",
        ] {
            assert!(settings("bench", &["[package]", text]).is_empty(), "{text}");
        }
        let fast = "[profile.fast]\ninherits = \"bench\"\n[profile.bench]\ncodegen-units = 2";
        assert!(settings("fast", &[fast]).is_empty());
        let by_variable = |name| Profiles::default().settings("my-fast", &["a"], |variable| variable == name);
        assert!(by_variable("CARGO_PROFILE_MY_FAST_CODEGEN_UNITS").is_empty());
        let release =
            Profiles::default().settings("bench", &["a"], |v| v == "CARGO_PROFILE_RELEASE_INCREMENTAL");
        assert!(release.is_empty());
    }

    #[test]
    fn builds_for_debugging_are_left_alone() {
        for profile in ["dev", "test", "unknown"] {
            assert!(settings(profile, &[]).is_empty(), "{profile}");
        }
        let circle = "[profile.x]\ninherits = \"y\"\n[profile.y]\ninherits = \"x\"";
        assert!(settings("x", &[circle]).is_empty());
    }

    #[test]
    fn packages_that_the_profile_names_are_left_alone() {
        let text = "[profile.release.package.a]\ncodegen-units = 8";
        assert_eq!(settings("bench", &[text]), of_bench(&["b"]));
        let text = "[profile.bench.package.\"a@0.1.0\"]\nopt-level = 1";
        assert_eq!(settings("bench", &[text]), of_bench(&["b"]), "cargo refuses two specs for one package");
        let text = "[profile.bench.package.\"path+file:///w/a\"]\nopt-level = 1";
        assert!(settings("bench", &[text]).is_empty());
        let text = "[profile.bench.package.\"*\"]\ncodegen-units = 8";
        assert_eq!(settings("bench", &[text]).len(), 2, "that is for dependencies");
    }
}
