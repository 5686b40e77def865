//! One codegen unit for each package that may be edited, unless its profile sets the number.
//!
//! The compiler splits a crate into up to 16 units by size, and inlines more within a unit than
//! across units. So an edit that makes one function longer can change the split, and with it the
//! machine code of functions that nobody touched. With one unit, the machine code depends on the
//! source alone. Other dependencies stay as they are and are shared with other builds.

use super::profile::Profile;

/// Returns the settings for `--config`, one for each package that gets one unit.
pub(super) fn settings(profile: &Profile, packages: &[&str]) -> Vec<String> {
    // Debug builds are incremental and have many units.
    if !profile.is_optimized() || profile.sets("codegen-units") {
        return Vec::new();
    }
    let setting =
        |package: &&str| format!("profile.{}.package.\"{package}\".codegen-units=1", profile.name());
    let has_others = |package: &str| profile.is_incremental(package) || mentions(profile, package);
    packages.iter().filter(|package| !has_others(package)).map(setting).collect()
}

/// Returns whether the profile sets the units of this package, or names it by another spec: cargo
/// refuses two specs for one package.
fn mentions(profile: &Profile, package: &str) -> bool {
    profile.packages().any(|(spec, settings)| {
        let is_other_name = spec.contains("//") || spec.split(['@', ':']).next() == Some(package);
        if spec == package { settings.get("codegen-units").is_some() } else { is_other_name }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(profile: &str, texts: &[&str]) -> Vec<String> {
        let texts = texts.iter().map(|text| (*text).to_owned());
        super::settings(&Profile::from_texts(profile, [], texts, |_| None), &["a", "b"])
    }

    fn units_of(packages: &[&str]) -> Vec<String> {
        packages.iter().map(|name| format!("profile.bench.package.\"{name}\".codegen-units=1")).collect()
    }

    #[test]
    fn packages_have_one_unit_by_default() {
        assert_eq!(settings("bench", &[]), units_of(&["a", "b"]));
        let other = "[profile.release]\nlto = true\nincremental = false\n[profile.dev]\ncodegen-units = 4\n[profile.bench.package.a]\nopt-level = 2";
        assert_eq!(settings("bench", &[other, "not toml ["]), units_of(&["a", "b"]));
        assert_eq!(settings("fast", &["[profile.fast]\ninherits = \"release\""]).len(), 2);
    }

    #[test]
    fn settings_of_the_profile_and_its_ancestors_win() {
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
                let variable = |queried: &str| value.filter(|_| queried == name).map(str::to_owned);
                super::settings(&Profile::from_texts(profile, [], fast(), variable), &["a"])
            };
            assert_eq!((with(Some("true")).len(), with(None).len()), (0, 1), "{name}");
        }
    }

    #[test]
    fn incremental_builds_keep_their_units() {
        // In cargo's order of precedence: a variable, `--config`, another variable, a file, the profile.
        let number = |forced: Option<&str>, flag: &str, variable: Option<&str>, file: &str| {
            let value = |name: &str| match name {
                "CARGO_INCREMENTAL" => forced.map(str::to_owned),
                "CARGO_BUILD_INCREMENTAL" => variable.map(str::to_owned),
                _ => None,
            };
            let (flags, files) = ([flag.to_owned()], [file.to_owned()]);
            super::settings(&Profile::from_texts("bench", flags, files, value), &["a", "b"]).len()
        };
        let [on, off] = ["true", "false"].map(|value| format!("build.incremental={value}"));
        let [profile, no_profile] =
            ["true", "false"].map(|value| format!("profile.release.incremental={value}"));
        for (expected, forced, flag, variable, file) in [
            (0, Some("1"), &*off, Some("false"), &*no_profile),
            (2, Some("0"), &*on, Some("true"), &*profile),
            (2, Some("true"), "", None, &*profile),
            (0, None, &*on, Some("false"), &*off),
            (2, None, &*off, Some("true"), &*on),
            (0, None, "", Some("true"), &*off),
            (2, None, &*profile, Some("false"), &*on),
            (0, None, &*no_profile, None, &*on),
            (2, None, &*profile, None, &*off),
            (0, None, "", None, &*profile),
            (2, None, &*no_profile, None, &*profile),
            (1, None, "profile.bench.package.b.incremental=true", None, &*no_profile),
            (1, None, "profile.bench.package.b.incremental=false", None, &*profile),
        ] {
            let case = format!("{forced:?} {flag} {variable:?} {file}");
            assert_eq!(number(forced, flag, variable, file), expected, "{case}");
        }
    }

    #[test]
    fn debug_builds_are_unchanged() {
        for profile in ["dev", "test", "unknown"] {
            assert!(settings(profile, &[]).is_empty(), "{profile}");
        }
        let circle = "[profile.x]\ninherits = \"y\"\n[profile.y]\ninherits = \"x\"";
        assert!(settings("x", &[circle]).is_empty());
    }

    #[test]
    fn packages_that_the_profile_names_are_unchanged() {
        let text = "[profile.release.package.a]\ncodegen-units = 8";
        assert_eq!(settings("bench", &[text]), units_of(&["b"]));
        let text = "[profile.bench.package.\"a@0.1.0\"]\nopt-level = 1";
        assert_eq!(settings("bench", &[text]), units_of(&["b"]), "cargo refuses two specs for one package");
        let text = "[profile.bench.package.\"path+file:///w/a\"]\nopt-level = 1";
        assert!(settings("bench", &[text]).is_empty());
        let text = "[profile.bench.package.\"*\"]\ncodegen-units = 8";
        assert_eq!(settings("bench", &[text]).len(), 2, "`*` is for dependencies");
    }
}
