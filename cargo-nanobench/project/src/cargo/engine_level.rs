//! No optimisation for the engine of nanobench-core, unless the profile says otherwise.
//!
//! The engine times nothing itself: timed code is compiled with the benchmarks, or in
//! nanobench-core. Without optimisation, it takes a third of the CPU time to compile.

use super::profile::Profile;
use super::suites;
use super::unresolved::LIBRARY;
use toml::Value;

/// The package of the engine, which nanobench-core depends on.
const ENGINE: &str = "nanobench-engine";
/// Flags for the compiler with which a crate takes compiled functions from the crates that it
/// depends on, instead of compiling its own.
const SHARING_FLAGS: [&str; 3] = ["share-generics", "link-dead-code", "instrument-coverage"];

/// Returns the setting for `--config`. `dependencies`: those of all members. Cargo would warn if
/// the engine weren't among the packages.
pub(super) fn setting<'a>(
    profile: &Profile,
    mut dependencies: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let is_left_alone = || is_named(profile) || shares_its_code(profile);
    (profile.is_optimized()
        && dependencies.any(|name| name == LIBRARY || suites::is_runtime(name))
        && !is_left_alone())
    .then(|| format!("profile.{}.package.{ENGINE}.opt-level=0", profile.name()))
}

/// Returns whether the profile has settings for the engine.
fn is_named(profile: &Profile) -> bool {
    profile.packages().any(|(spec, _)| spec.split(['#', '/', '@', ':']).any(|part| part == ENGINE))
}

/// Returns whether code of the engine may get into that of the benchmarks, unoptimised: functions
/// that are compiled for a type are shared between crates below level 2, and link-time optimisation
/// would optimise the engine in each build.
fn shares_its_code(profile: &Profile) -> bool {
    let in_packages = profile.packages().filter_map(|(_, settings)| settings.get("opt-level"));
    let levels = profile.tables().filter_map(|table| table.get("opt-level")).chain(in_packages);
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    SHARING_FLAGS.iter().any(|flag| profile.may_pass(flag))
        || levels.map(text).any(|level| level != "2" && level != "3")
        || profile.tables().find_map(|table| table.get("lto")).is_some_and(|lto| {
            let lto = text(lto);
            lto != "false" && lto != "off"
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(profile: &str, texts: &[&str]) -> Option<String> {
        let texts = texts.iter().map(|text| (*text).to_owned());
        super::setting(&Profile::from_texts(profile, [], texts, |_| None), ["serde", LIBRARY].into_iter())
    }

    #[test]
    fn the_engine_is_not_optimised_by_default() {
        let expected = Some("profile.bench.package.nanobench-engine.opt-level=0".to_owned());
        assert_eq!(setting("bench", &[]), expected);
        let other = "[profile.release]\nopt-level = 2\nlto = \"off\"\n[profile.release.package.x]\ndebug = 1\n[profile.dev]\nopt-level = 1";
        assert_eq!(setting("bench", &[other]), expected);
        let of_fast = setting("fast", &["[profile.fast]\ninherits = \"release\""]);
        assert_eq!(of_fast.as_deref(), Some("profile.fast.package.nanobench-engine.opt-level=0"));
    }

    #[test]
    fn settings_of_the_profile_win() {
        for settings in [
            "[profile.release.package.nanobench-engine]\nopt-level = 3",
            "[profile.bench.package.\"nanobench-engine@0.1.0\"]\ncodegen-units = 1",
            "[profile.bench.package.\"registry+https://a.b/c#nanobench-engine@0.1.0\"]\ndebug = 1",
            "[profile.bench.package.\"path+file:///w/nanobench-engine\"]\ndebug = 1",
        ] {
            assert_eq!(setting("bench", &[settings]), None, "{settings}");
        }
        assert_eq!(setting("dev", &[]), None);
    }

    #[test]
    fn optimised_code_gets_no_unoptimised_code_of_the_engine() {
        for settings in [
            "[profile.release]\nopt-level = 1",
            "[profile.bench]\nopt-level = \"s\"",
            "[profile.bench.package.mine]\nopt-level = \"z\"",
            "[profile.release]\nlto = true",
            "[profile.bench]\nlto = \"thin\"",
            "[build]\nrustflags = [\"-Zshare-generics=y\"]",
            "[target.x86_64-unknown-linux-gnu]\nrustflags = \"-C link-dead-code\"",
            "[profile.bench]\nrustflags = [\"-Cinstrument-coverage\"]",
        ] {
            assert_eq!(setting("bench", &[settings]), None, "{settings}");
        }
        let off = "[profile.bench]\nlto = false\n[profile.release]\nlto = true";
        assert!(setting("bench", &[off]).is_some(), "the bench profile wins");
    }

    #[test]
    fn workspaces_without_the_library_get_no_setting() {
        let profile = Profile::from_texts("bench", [], [], |_| None);
        assert_eq!(super::setting(&profile, ["serde"].into_iter()), None);
    }
}
