//! In what two environments differ, and which comparisons that spoils.

use super::Environment;
use std::fmt::{self, Display};

/// Something that is another in two environments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    what: &'static str,
    now: String,
    before: String,
    matters: Matters,
}

/// To which comparison a difference matters more than the code does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Matters {
    /// To each: the two were built to be different, and would be with the same code.
    Always,
    /// To one with stored figures: they speak of another machine. Executables that run side by side are both on this one.
    ToStoredFigures,
    /// To none: it may well be what one wants to compare, and the code is still what differs most.
    ToNone,
}

impl Difference {
    /// Whether a comparison would say more of this than of the code. `stored`: with figures of then, not with an executable
    /// that runs now.
    pub(crate) fn spoils(&self, stored: bool) -> bool {
        match self.matters {
            Matters::Always => true,
            Matters::ToStoredFigures => stored,
            Matters::ToNone => false,
        }
    }
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, before {}", self.what, self.now, self.before)
    }
}

impl Environment {
    /// In what this one differs from `earlier` that moves figures by itself: `profile dev, before bench`. What one of
    /// them doesn't know is no difference.
    pub(crate) fn differences_from(&self, earlier: &Environment) -> Vec<Difference> {
        let rustc = |environment: &Environment| environment.rustc.as_ref().map(|rustc| rustc.version.clone());
        let list =
            |values: &[String]| Some(if values.is_empty() { "none".to_owned() } else { values.join(" ") });
        let settings = |environment: &Environment| list(environment.profile_settings.as_ref()?.as_slice());
        // The order in which they are given means nothing; that of flags to the compiler does.
        let set = |values: &[String]| {
            let mut values: Vec<String> =
                values.iter().flat_map(|value| value.split([',', ' '])).map(str::to_owned).collect();
            values.sort();
            values.dedup();
            list(&values)
        };
        [
            ("processor", Matters::ToStoredFigures, self.cpu.clone(), earlier.cpu.clone()),
            ("architecture", Matters::ToStoredFigures, self.arch.clone(), earlier.arch.clone()),
            ("target", Matters::Always, self.target.clone(), earlier.target.clone()),
            ("compiler", Matters::ToNone, rustc(self), rustc(earlier)),
            ("profile", Matters::Always, self.profile.clone(), earlier.profile.clone()),
            ("profile's settings", Matters::ToNone, settings(self), settings(earlier)),
            ("features", Matters::Always, set(&self.features), set(&earlier.features)),
            ("RUSTFLAGS", Matters::Always, list(&self.rustflags), list(&earlier.rustflags)),
        ]
        .into_iter()
        .filter_map(|(what, matters, now, before)| {
            Some(Difference { what, matters, now: now?, before: before? })
        })
        .filter(|Difference { now, before, .. }| now != before)
        .collect()
    }

    /// Whether what was built for the other one runs here as it ran there, as far as is known.
    pub(crate) fn is_like(&self, other: &Environment) -> bool {
        let is_other = |one: &Option<String>, other: &Option<String>| {
            one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one != other)
        };
        !is_other(&self.cpu, &other.cpu)
            && !is_other(&self.arch, &other.arch)
            && !is_other(&self.os, &other.os)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Rustc;

    fn texts(differences: &[Difference]) -> Vec<String> {
        differences.iter().map(ToString::to_string).collect()
    }

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn differences_name_both_sides_and_leave_out_what_is_not_known() {
        let bench = Environment { profile: text("bench"), cpu: text("A"), ..Environment::default() };
        let dev =
            Environment { profile: text("dev"), rustflags: vec!["-C".into()], ..Environment::default() };
        let differences = dev.differences_from(&bench);
        assert_eq!(texts(&differences), ["profile dev, before bench", "RUSTFLAGS -C, before none"]);
        assert!(bench.differences_from(&bench).is_empty());
    }

    #[test]
    fn builds_spoil_each_comparison_machines_those_with_stored_figures_and_compilers_none() {
        let version = |version: &str| Rustc { version: version.to_owned(), host: None, commit: None };
        let of = |cpu, target, rustc, features: &[&str]| Environment {
            cpu: text(cpu),
            target: text(target),
            rustc: Some(version(rustc)),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            ..Environment::default()
        };
        let spoils = |now: &Environment, stored| {
            let differences = now.differences_from(&of("A", "gnu", "1.90", &[]));
            assert_eq!(differences.len(), 1, "{differences:?}");
            differences[0].spoils(stored)
        };
        let expected = [
            (of("B", "gnu", "1.90", &[]), false, true),
            (of("A", "musl", "1.90", &[]), true, true),
            (of("A", "gnu", "1.91", &[]), false, false),
            (of("A", "gnu", "1.90", &["simd"]), true, true),
        ];
        for (now, side_by_side, stored) in expected {
            assert_eq!((spoils(&now, false), spoils(&now, true)), (side_by_side, stored), "{now:?}");
        }
    }

    #[test]
    fn settings_of_the_profile_are_shown_and_refuse_nothing() {
        let of = |settings: Option<&[&str]>| Environment {
            profile_settings: settings
                .map(|settings| settings.iter().map(|&setting| setting.to_owned()).collect()),
            ..Environment::default()
        };
        let differences = of(Some(&["lto=fat", "opt-level=2"])).differences_from(&of(Some(&[])));
        assert_eq!(texts(&differences), ["profile's settings lto=fat opt-level=2, before none"]);
        assert!(!differences[0].spoils(true) && !differences[0].spoils(false));
        assert!(of(Some(&["lto=fat"])).differences_from(&of(None)).is_empty(), "of then, nothing is known");
        let old: Environment = serde_json::from_str(r#"{"profile": "bench"}"#).unwrap();
        assert_eq!(old.profile_settings, None);
    }

    #[test]
    fn features_are_a_set_however_they_were_given() {
        let of = |features: &[&str]| Environment {
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            ..Environment::default()
        };
        assert!(of(&["a,b"]).differences_from(&of(&["b", "a"])).is_empty());
        assert_eq!(texts(&of(&["a"]).differences_from(&of(&["a", "b"]))), ["features a, before a b"]);
    }

    #[test]
    fn another_processor_or_system_is_another_machine_and_another_compiler_is_not() {
        let here = Environment { cpu: text("A"), os: text("Debian 12"), ..Environment::default() };
        assert!(here.is_like(&Environment { profile: text("dev"), ..here.clone() }));
        assert!(here.is_like(&Environment::default()), "what is not known is no difference");
        assert!(!here.is_like(&Environment { cpu: text("B"), ..here.clone() }));
        assert!(!here.is_like(&Environment { os: text("Debian 13"), ..here.clone() }));
    }
}
