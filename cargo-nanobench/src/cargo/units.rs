//! One codegen unit for the packages that are being worked on, unless their profile says how many.
//!
//! The compiler parts a crate in up to 16 units, by size, and inlines within a unit more than across. So an edit that makes one
//! function longer can part the crate otherwise, and truly change the machine code of functions that nobody touched. With
//! one unit, what is compiled follows from what is written. Dependencies that are not edited stay as they are, and shared
//! with other builds.

use super::profile::Profile;

/// Settings for `--config`: one for each of the packages that is to have one unit.
pub(super) fn settings(profile: &Profile, packages: &[&str]) -> Vec<String> {
    // Builds for debugging are incremental, in many units.
    if !profile.is_for_speed() || profile.says("codegen-units") || profile.says("incremental") {
        return Vec::new();
    }
    let setting =
        |package: &&str| format!("profile.{}.package.\"{package}\".codegen-units=1", profile.name());
    packages.iter().filter(|package| !mentions(profile, package)).map(setting).collect()
}

/// Whether the profile says how many units this package has, or names it otherwise than we would: cargo takes no two specs
/// for one package.
fn mentions(profile: &Profile, package: &str) -> bool {
    let packages = profile.tables().filter_map(|table| table.get("package"));
    let mut specs = packages.filter_map(toml::Value::as_table).flatten();
    specs.any(|(spec, settings)| {
        let is_other_name = spec.contains("//") || spec.split(['@', ':']).next() == Some(package);
        if spec == package { settings.get("codegen-units").is_some() } else { is_other_name }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(profile: &str, texts: &[&str]) -> Vec<String> {
        let texts = texts.iter().map(|text| (*text).to_owned());
        super::settings(&Profile::of(profile, [], texts, |_| None), &["a", "b"])
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
        for (profile, name) in [
            ("my-fast", "CARGO_PROFILE_MY_FAST_CODEGEN_UNITS"),
            ("bench", "CARGO_PROFILE_RELEASE_INCREMENTAL"),
        ] {
            let fast = || ["[profile.my-fast]\ninherits = \"release\"".to_owned()];
            let with = |value: Option<&str>| {
                let variable = |asked: &str| value.filter(|_| asked == name).map(str::to_owned);
                super::settings(&Profile::of(profile, [], fast(), variable), &["a"])
            };
            assert_eq!((with(Some("true")).len(), with(None).len()), (0, 1), "{name}");
        }
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
