//! The settings of a function: those of its attribute, of its groups and of the modules around it.

use crate::measure::Count;
use crate::model::{BenchmarkSpec, KeyValue, SamplingOptions, ThroughputUnit};
use crate::registry::{self, Case, Entry, Group, Settings};

/// The settings of a function, in order of precedence: its own, then those of its group, then those
/// of the modules around it, innermost first.
#[derive(Debug)]
pub(super) struct FunctionSettings<'a> {
    /// Each of the settings, with the module that contains it.
    settings: Vec<(&'a str, &'a Settings)>,
    group: Option<&'a str>,
    /// True if its group or a module around it is marked `#[ignore]`.
    ignored: bool,
}

impl<'a> FunctionSettings<'a> {
    pub(super) fn new(entry: &'a Entry, groups: &'a [&'a Group]) -> FunctionSettings<'a> {
        // A longer path is further in. Insertion takes less time to compile than a sort.
        let mut around: Vec<&Group> = Vec::new();
        for group in groups {
            if is_within(entry.module_path, group.module_path) {
                let length = group.module_path.len();
                let mut index = 0;
                while around.get(index).is_some_and(|other| other.module_path.len() >= length) {
                    index += 1;
                }
                around.insert(index, group);
            }
        }
        let name = entry.settings.group.or_else(|| around.iter().find_map(|group| group.group_name()));
        let mut all: Vec<&Group> = Vec::new();
        for group in groups {
            let is_named = name.is_some() && group.group_name() == name;
            if is_named && !around.iter().any(|other| std::ptr::eq(*other, *group)) {
                all.push(group);
            }
        }
        all.append(&mut around);
        let mut settings = vec![(entry.module_path, entry.settings.resolved())];
        let mut ignored = false;
        for group in all {
            settings.push((group.module_path, group.settings.resolved()));
            ignored |= group.ignored;
        }
        if let Some(overrides) = registry::overrides() {
            settings.insert(0, ("", overrides));
        }
        FunctionSettings { settings, group: name, ignored }
    }

    /// Returns the value from the first settings that have one.
    #[inline(never)]
    pub(super) fn first<T>(&self, value: &dyn Fn(&'a Settings) -> Option<T>) -> Option<T> {
        self.settings.iter().find_map(|(_, settings)| value(settings))
    }

    /// Returns the source text of the baseline, and the module in which it is written.
    pub(super) fn baseline(&self) -> Option<(&'a str, &'a str)> {
        self.settings.iter().find_map(|(module, settings)| Some((settings.baseline?, *module)))
    }

    /// Returns the common description of a case's rows.
    pub(super) fn describe(&self, entry: &Entry, case: Option<&Case>) -> BenchmarkSpec {
        let units = case.and_then(Case::units).or(self.first(&|settings| settings.batch));
        let unit = case.and_then(Case::unit_name).or(self.first(&|settings| settings.unit));
        let scale = self.first(&|settings| settings.scale);
        BenchmarkSpec {
            id: entry.id(),
            rust_name: entry.name.map(|_| entry.function.to_owned()),
            was: entry.settings.was.map(str::to_owned),
            description: entry.description.to_owned(),
            file: entry.file.to_owned(),
            line: entry.line,
            ignored: entry.ignored
                || self.ignored
                || self.first(&|settings| settings.ignore).is_some_and(|condition| condition()),
            takes_count: entry.count != Count::None,
            takes_input: entry.takes_input.then_some(true),
            count: match entry.count {
                Count::Fixed(count) => Some(count),
                Count::None | Count::Auto => None,
            },
            unroll: entry.unroll,
            sampling: Some(self.sampling()).filter(|options| *options != SamplingOptions::default()),
            timeout: self.first(&|settings| settings.timeout),
            threshold: self.first(&|settings| settings.threshold),
            unit: unit.map(str::to_owned),
            batch: units.or(scale).map(|_| units.unwrap_or(1).saturating_mul(scale.unwrap_or(1))),
            throughput: non_empty(self.units(entry)),
            group: self.group.map(str::to_owned),
            tags: non_empty(self.tags()),
            context: non_empty(self.context()),
            ..BenchmarkSpec::default()
        }
    }

    /// Returns the amounts that each iteration works on, by the first settings that have some in a unit.
    pub(super) fn amounts(&self) -> Vec<(ThroughputUnit, u64)> {
        let mut amounts: Vec<(ThroughputUnit, u64)> = Vec::new();
        for (_, settings) in &self.settings {
            for (unit, amount) in settings.amounts.map(|amounts| amounts()).unwrap_or_default() {
                if !amounts.iter().any(|(other, _)| *other == unit) {
                    amounts.push((unit, amount));
                }
            }
        }
        amounts
    }

    /// Returns the units of the throughput.
    fn units(&self, entry: &Entry) -> Vec<ThroughputUnit> {
        let mut units = entry.settings.throughput.to_vec();
        for (unit, _) in self.amounts() {
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        units
    }

    /// Returns the number and length of its samples.
    fn sampling(&self) -> SamplingOptions {
        let mut options = SamplingOptions::default();
        for (_, settings) in &self.settings {
            options = options.or(settings.sampling());
        }
        SamplingOptions { warmup: self.first(&warmup).flatten(), ..options }
    }

    /// Returns all tags, those of the outermost module first.
    fn tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = Vec::new();
        for &tag in self.settings.iter().rev().flat_map(|(_, settings)| settings.tags) {
            if !tags.iter().any(|other| other == tag) {
                tags.push(tag.to_owned());
            }
        }
        tags
    }

    /// Returns all notes, those of the outermost module first. The innermost value of a key wins.
    fn context(&self) -> Vec<KeyValue> {
        let mut pairs: Vec<KeyValue> = Vec::new();
        for (key, value) in self.settings.iter().rev().flat_map(|(_, settings)| settings.context) {
            match pairs.iter_mut().find(|pair| pair.key == *key) {
                Some(pair) => (*value).clone_into(&mut pair.value),
                None => pairs.push(KeyValue { key: (*key).to_owned(), value: (*value).to_owned() }),
            }
        }
        pairs
    }
}

/// Returns the number of calls before the first timed one. `Some(None)` is the default, even if
/// outer settings have a number.
fn warmup(settings: &Settings) -> Option<Option<u64>> {
    match (settings.prime, settings.warmup) {
        (Some(false), _) => Some(Some(0)),
        (_, Some(calls)) => Some(Some(calls)),
        (Some(true), None) => Some(None),
        (None, None) => None,
    }
}

/// Returns a list, or `None` for an empty one.
fn non_empty<T>(items: Vec<T>) -> Option<Vec<T>> {
    (!items.is_empty()).then_some(items)
}

/// Returns whether `module` is `outer` or a module in it.
fn is_within(module: &str, outer: &str) -> bool {
    module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Settings = Settings::DEFAULT;

    /// Returns the description of a function in `a::b::c` with its own settings and those of
    /// groups.
    fn described(own: Settings, groups: &[(&'static str, Option<&'static str>, Settings)]) -> BenchmarkSpec {
        let group = |(module_path, name, settings)| Group { module_path, name, ignored: false, settings };
        let groups: Vec<Group> = groups.iter().copied().map(group).collect();
        let groups: Vec<&Group> = groups.iter().collect();
        let entry = Entry {
            module_path: "a::b::c",
            function: "f",
            settings: Box::leak(Box::new(own)),
            ..Entry::DEFAULT
        };
        FunctionSettings::new(&entry, &groups).describe(&entry, None)
    }

    #[test]
    fn inner_settings_override_outer_ones() {
        let with = |samples, warmup| Settings { samples, warmup, ..NONE };
        let groups = [
            ("a", None, Settings { unit: Some("row"), threshold: Some(1.0), ..with(Some(1), Some(1)) }),
            ("a::b", None, Settings { threshold: Some(2.5), ..with(Some(2), Some(2)) }),
            ("a::bc", None, with(Some(3), Some(3))),
            ("a::b::c::d", None, with(Some(4), Some(4))),
        ];
        let description = described(with(Some(5), None), &groups);
        let sampling = description.sampling.unwrap();
        assert_eq!(
            (sampling.samples, sampling.warmup, description.unit.as_deref()),
            (Some(5), Some(2), Some("row"))
        );
        assert_eq!(description.threshold, Some(2.5));
    }

    #[test]
    fn a_function_elsewhere_can_name_a_group() {
        let named = ("other", Some("io"), Settings { samples: Some(7), tags: &["slow"], ..NONE });
        let around = ("a", None, Settings { samples: Some(1), ..NONE });
        let own = Settings { group: Some("io"), tags: &["mine", "slow"], ..NONE };
        let description = described(own, &[around, named]);
        assert_eq!(
            (description.group.as_deref(), description.sampling.unwrap().samples),
            (Some("io"), Some(7))
        );
        assert_eq!(description.tags.unwrap(), ["slow", "mine"]);
        assert_eq!(described(NONE, &[named]).group, None);
        let inherited = described(NONE, &[("a::b", Some("inner"), NONE), ("a", Some("outer"), NONE)]);
        assert_eq!(inherited.group.as_deref(), Some("inner"));
    }

    #[test]
    fn the_benchmarks_of_an_ignored_module_or_group_are_ignored() {
        let is_ignored = |own: Option<&'static str>, module_path, name| {
            let settings = Box::leak(Box::new(Settings { group: own, ..NONE }));
            let entry = Entry { module_path: "a::b", function: "f", settings, ..Entry::DEFAULT };
            let group = Group { module_path, name, ignored: true, settings: NONE };
            FunctionSettings::new(&entry, &[&group]).describe(&entry, None).ignored
        };
        assert!(is_ignored(None, "a::b", None) && is_ignored(None, "a", None));
        assert!(is_ignored(Some("slow"), "c", Some("slow")));
        assert!(!is_ignored(None, "c", Some("slow")) && !is_ignored(None, "a::b::c", None));
    }

    #[test]
    fn exclusive_options_override_each_other_in_groups() {
        let group = Settings { iterations: Some(5), warmup: Some(9), ..NONE };
        let own = Settings { sample_time: Some(100), prime: Some(true), ..NONE };
        let sampling = described(own, &[("a", None, group)]).sampling.unwrap();
        assert_eq!((sampling.iterations, sampling.sample_time, sampling.warmup), (None, Some(100), None));
        let own = Settings { prime: Some(false), ..NONE };
        let sampling = described(own, &[("a", None, group)]).sampling.unwrap();
        assert_eq!((sampling.iterations, sampling.warmup), (Some(5), Some(0)));
    }

    #[test]
    fn a_number_of_samples_and_a_precision_override_each_other() {
        let times = Settings { precision: Some(2.0), min_time: Some(500), timeout: Some(9), ..NONE };
        let samples = Settings { samples: Some(7), ..NONE };
        let limits = |own: Settings, group: Settings| {
            let of = described(own, &[("a", None, group)]);
            assert_eq!(of.timeout, Some(9), "not among them");
            let SamplingOptions { samples, precision, min_time, max_time, .. } = of.sampling.unwrap();
            (samples, precision, min_time, max_time)
        };
        assert_eq!(limits(samples, times), (Some(7), None, None, None));
        assert_eq!(limits(times, samples), (None, Some(2.0), Some(500), None));
        let short = Settings { max_time: Some(100), ..NONE };
        assert_eq!(limits(short, times), (None, Some(2.0), Some(100), Some(100)), "one adjusts the other");
    }

    #[test]
    fn a_function_has_its_own_name_beside_the_one_that_is_shown() {
        let of = |name| {
            let entry = Entry { module_path: "a::b", function: "f", name, ..Entry::DEFAULT };
            let description = FunctionSettings::new(&entry, &[]).describe(&entry, None);
            (description.id.to_string(), description.rust_name)
        };
        assert_eq!(of(None), ("b::f".to_owned(), None));
        assert_eq!(of(Some("x / y")), ("b::x / y".to_owned(), Some("f".to_owned())));
    }

    #[test]
    fn the_innermost_amount_of_a_unit_counts() {
        use ThroughputUnit::{Byte, Char, Item};
        let own =
            Settings { amounts: Some(|| vec![(Item, 1), (Char, 0)]), throughput: &[Byte, Item], ..NONE };
        let group = Settings { amounts: Some(|| vec![(Item, 9), (Byte, 72)]), ..NONE };
        let entry = Entry { module_path: "a", settings: Box::leak(Box::new(own)), ..Entry::DEFAULT };
        let group = Group { module_path: "a", name: None, ignored: false, settings: group };
        let groups = [&group];
        let settings = FunctionSettings::new(&entry, &groups);
        assert_eq!(settings.amounts(), [(Item, 1), (Char, 0), (Byte, 72)]);
        assert_eq!(settings.describe(&entry, None).throughput.unwrap(), [Byte, Item, Char]);
    }

    #[test]
    fn late_settings_are_in_the_place_of_others() {
        static LATE: Settings = Settings { samples: Some(3), unit: Some("row"), ..NONE };
        let own = Settings { late: Some(|| &LATE), samples: Some(5), ..NONE };
        let group = Settings { late: Some(|| &LATE), ..NONE };
        let description = described(own, &[]);
        assert_eq!(
            (description.sampling.unwrap().samples, description.unit.unwrap()),
            (Some(3), "row".into())
        );
        assert_eq!(described(NONE, &[("a", None, group)]).unit.unwrap(), "row");
    }

    #[test]
    fn batch_and_scale_are_multiplied() {
        assert_eq!(described(NONE, &[]).batch, None);
        assert_eq!(described(Settings { scale: Some(3), ..NONE }, &[]).batch, Some(3));
        let group = Settings { batch: Some(5), ..NONE };
        assert_eq!(described(Settings { scale: Some(3), ..NONE }, &[("a", None, group)]).batch, Some(15));
    }

    #[test]
    fn contexts_are_merged() {
        let group = Settings { context: &[("os", "any"), ("kind", "io")], ..NONE };
        let own = Settings { context: &[("kind", "cpu"), ("n", "1")], ..NONE };
        let context = described(own, &[("a", None, group)]).context.unwrap();
        let pairs: Vec<_> = context.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect();
        assert_eq!(pairs, [("os", "any"), ("kind", "cpu"), ("n", "1")]);
    }
}
