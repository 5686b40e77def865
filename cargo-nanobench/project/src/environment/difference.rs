//! Differences between two environments, and the comparisons that they rule out.

use super::Environment;
use crate::load_beside::LoadBeside;
use std::fmt::{self, Display};

/// A property that has different values in two environments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    property: &'static str,
    now: String,
    before: String,
    scope: Scope,
}

/// The part of an environment that a property belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The machine, or the kind of machine that was built for.
    Machine,
    /// The number of cores, which matters to benchmarks with threads, and which `taskset` and
    /// containers change on one machine.
    Cores,
    /// The options that the user builds with: profile, features, `RUSTFLAGS`.
    Build,
    /// The compiler, the settings of the profile, and the parts of the system.
    Toolchain,
    /// Work beside the benchmarks.
    Load,
}

impl Difference {
    /// Returns whether stored figures can't be compared across this difference. Executables that
    /// run side by side can: both run on this machine.
    pub fn rules_out_stored_figures(&self) -> bool {
        self.scope == Scope::Machine
    }

    /// Returns whether results from both environments must not be mixed in one saved run.
    pub fn rules_out_merging(&self) -> bool {
        matches!(self.scope, Scope::Machine | Scope::Build | Scope::Load)
    }
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, before {}", self.property, self.now, self.before)
    }
}

impl Environment {
    /// Returns the differences from `earlier` that affect figures: `profile dev, before bench`. A
    /// property unknown in one of the environments is not a difference.
    pub fn differences_from(&self, earlier: &Environment) -> Vec<Difference> {
        self.properties(earlier)
            .filter_map(|(property, scope, now, before)| {
                Some(Difference { property, scope, now: now?, before: before? })
            })
            .filter(|Difference { now, before, .. }| now != before)
            .collect()
    }

    /// Returns the differences if one of the environments is that of an imported run: a property of
    /// the machine that only one of them has is a difference, too.
    pub fn differences_from_imported(&self, earlier: &Environment) -> Vec<Difference> {
        self.properties(earlier)
            .filter(|(_, scope, now, before)| {
                let is_known = now.is_some() && before.is_some();
                now != before && (is_known || *scope == Scope::Machine)
            })
            .map(|(property, scope, now, before)| {
                let known = |value: Option<String>| value.unwrap_or_else(|| "unknown".to_owned());
                Difference { property, scope, now: known(now), before: known(before) }
            })
            .collect()
    }

    /// Returns the properties that affect figures, each with its value now and before.
    fn properties(
        &self,
        earlier: &Environment,
    ) -> impl Iterator<Item = (&'static str, Scope, Option<String>, Option<String>)> {
        let rustc = |environment: &Environment| environment.rustc.as_ref().map(|rustc| rustc.version.clone());
        let cores = |environment: &Environment| environment.cores.map(|cores| cores.to_string());
        let list =
            |values: &[String]| Some(if values.is_empty() { "none".to_owned() } else { values.join(" ") });
        let settings = |environment: &Environment| list(environment.profile_settings.as_ref()?.as_slice());
        // The order of features doesn't matter; that of compiler flags does.
        let set = |values: &[String]| {
            let mut values: Vec<String> =
                values.iter().flat_map(|value| value.split([',', ' '])).map(str::to_owned).collect();
            values.sort();
            values.dedup();
            list(&values)
        };
        [
            ("processor", Scope::Machine, self.cpu.clone(), earlier.cpu.clone()),
            ("architecture", Scope::Machine, self.arch.clone(), earlier.arch.clone()),
            ("target", Scope::Machine, self.target.clone(), earlier.target.clone()),
            ("operating system", Scope::Toolchain, self.os.clone(), earlier.os.clone()),
            ("kernel", Scope::Toolchain, self.kernel.clone(), earlier.kernel.clone()),
            ("C library", Scope::Toolchain, self.c_library.clone(), earlier.c_library.clone()),
            ("cores", Scope::Cores, cores(self), cores(earlier)),
            ("compiler", Scope::Toolchain, rustc(self), rustc(earlier)),
            ("profile", Scope::Build, self.profile.clone(), earlier.profile.clone()),
            ("profile's settings", Scope::Toolchain, settings(self), settings(earlier)),
            ("features", Scope::Build, set(&self.features), set(&earlier.features)),
            ("RUSTFLAGS", Scope::Build, list(&self.rustflags), list(&earlier.rustflags)),
            ("load on another core", Scope::Load, Some(self.load_beside()), Some(earlier.load_beside())),
        ]
        .into_iter()
    }

    /// Returns the load of `--load`, which the context has.
    fn load_beside(&self) -> String {
        let load = self.context.iter().find(|pair| pair.key == LoadBeside::CONTEXT);
        load.map_or_else(|| "none".to_owned(), |pair| pair.value.clone())
    }

    /// Returns whether the machines are known to be of the same kind.
    pub fn is_same_kind_of_machine(&self, other: &Environment) -> bool {
        let agree = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
        agree(&self.cpu, &other.cpu) && agree(&self.arch, &other.arch) && agree(&self.os, &other.os)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Rustc;
    use nanobench::model::KeyValue;

    fn texts(differences: &[Difference]) -> Vec<String> {
        differences.iter().map(ToString::to_string).collect()
    }

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn differences_name_both_sides_and_omit_unknown_properties() {
        let bench = Environment { profile: text("bench"), cpu: text("A"), ..Environment::default() };
        let dev =
            Environment { profile: text("dev"), rustflags: vec!["-C".into()], ..Environment::default() };
        let differences = dev.differences_from(&bench);
        assert_eq!(texts(&differences), ["profile dev, before bench", "RUSTFLAGS -C, before none"]);
        assert!(bench.differences_from(&bench).is_empty());
    }

    #[test]
    fn fewer_cores_are_a_difference_that_rules_out_nothing() {
        let with = |cores| Environment { cores, ..Environment::default() };
        let differences = with(Some(2)).differences_from(&with(Some(16)));
        assert_eq!(texts(&differences), ["cores 2, before 16"]);
        assert!(!differences[0].rules_out_merging() && !differences[0].rules_out_stored_figures());
        assert!(with(Some(2)).differences_from_imported(&with(Some(2))).is_empty());
    }

    #[test]
    fn a_load_on_another_core_is_a_difference() {
        let context = vec![KeyValue { key: LoadBeside::CONTEXT.to_owned(), value: "cpu".to_owned() }];
        let loaded = Environment { context, ..Environment::default() };
        let differences = Environment::default().differences_from(&loaded);
        assert_eq!(texts(&differences), ["load on another core none, before cpu"]);
        assert!(differences[0].rules_out_merging() && !differences[0].rules_out_stored_figures());
    }

    #[test]
    fn unknown_machine_of_an_imported_run_is_another_one() {
        let here = Environment { cpu: text("A"), profile: text("bench"), ..Environment::default() };
        let empty = Environment::default();
        assert!(here.differences_from(&empty).is_empty());
        let differences = here.differences_from_imported(&empty);
        assert_eq!(texts(&differences), ["processor A, before unknown"]);
        assert!(differences[0].rules_out_stored_figures());
        assert_eq!(texts(&empty.differences_from_imported(&here)), ["processor unknown, before A"]);
        assert!(here.differences_from_imported(&here.clone()).is_empty());
        assert!(empty.differences_from_imported(&empty).is_empty(), "no system reports everything");
    }

    #[test]
    fn machines_rule_out_stored_figures_and_build_options_rule_out_merging() {
        let version = |version: &str| Rustc { version: version.to_owned(), host: None, commit: None };
        let environment = |cpu, target, rustc, features: &[&str]| Environment {
            cpu: text(cpu),
            target: text(target),
            rustc: Some(version(rustc)),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            ..Environment::default()
        };
        let before = environment("A", "gnu", "1.90", &[]);
        let expected = [
            (environment("B", "gnu", "1.90", &[]), true, true),
            (environment("A", "musl", "1.90", &[]), true, true),
            (environment("A", "gnu", "1.91", &[]), false, false),
            (environment("A", "gnu", "1.90", &["simd"]), false, true),
        ];
        for (now, stored_figures, merging) in expected {
            let [difference] = &now.differences_from(&before)[..] else { panic!("{now:?}") };
            assert_eq!(difference.rules_out_stored_figures(), stored_figures, "{now:?}");
            assert_eq!(difference.rules_out_merging(), merging, "{now:?}");
        }
    }

    #[test]
    fn profile_settings_allow_merging_and_comparing() {
        let with_settings = |settings: Option<&[&str]>| Environment {
            profile_settings: settings
                .map(|settings| settings.iter().map(|&setting| setting.to_owned()).collect()),
            ..Environment::default()
        };
        let differences =
            with_settings(Some(&["lto=fat", "opt-level=2"])).differences_from(&with_settings(Some(&[])));
        assert_eq!(texts(&differences), ["profile's settings lto=fat opt-level=2, before none"]);
        assert!(!differences[0].rules_out_merging());
        assert!(
            with_settings(Some(&["lto=fat"])).differences_from(&with_settings(None)).is_empty(),
            "unknown"
        );
        let old: Environment = serde_json::from_str(r#"{"profile": "bench"}"#).unwrap();
        assert_eq!(old.profile_settings, None);
    }

    #[test]
    fn features_are_a_set() {
        let with_features = |features: &[&str]| Environment {
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            ..Environment::default()
        };
        assert!(with_features(&["a,b"]).differences_from(&with_features(&["b", "a"])).is_empty());
        let differences = with_features(&["a"]).differences_from(&with_features(&["a", "b"]));
        assert_eq!(texts(&differences), ["features a, before a b"]);
    }

    #[test]
    fn processor_and_system_define_the_kind_of_machine() {
        let here = Environment {
            cpu: text("A"),
            arch: text("x86_64"),
            os: text("Debian 12"),
            ..Environment::default()
        };
        assert!(here.is_same_kind_of_machine(&Environment { profile: text("dev"), ..here.clone() }));
        assert!(!here.is_same_kind_of_machine(&Environment::default()), "unknown");
        assert!(!here.is_same_kind_of_machine(&Environment { arch: None, ..here.clone() }), "unknown");
        assert!(!Environment::default().is_same_kind_of_machine(&Environment::default()), "unknown");
        assert!(!here.is_same_kind_of_machine(&Environment { cpu: text("B"), ..here.clone() }));
        assert!(!here.is_same_kind_of_machine(&Environment { os: text("Debian 13"), ..here.clone() }));
    }
}
