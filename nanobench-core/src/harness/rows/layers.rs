//! What is asked of a function: by its own attribute, by the groups that it belongs to, by the modules around it.

use crate::measure::Count;
use crate::model::{BenchmarkSpec, CacheStates, KeyValue};
use crate::registry::{Complexity, Entry, Group, Settings};

/// The settings of a function, what counts most first: its own, those of the group that it names, those of the modules
/// around it from the innermost out.
#[derive(Debug)]
pub(super) struct Layers<'a> {
    settings: Vec<&'a Settings>,
    group: Option<&'a str>,
    /// The module in which each of them is written.
    modules: Vec<&'a str>,
}

impl<'a> Layers<'a> {
    pub(super) fn of(entry: &'a Entry, groups: &'a [&'a Group]) -> Layers<'a> {
        // The longer the path, the further in. There are a few: a sort would be more code than all of this module.
        let mut around: Vec<&Group> = Vec::new();
        for group in groups.iter().filter(|group| is_within(entry.module_path, group.module_path)) {
            let length = group.module_path.len();
            let place = around.iter().take_while(|other| other.module_path.len() >= length).count();
            around.insert(place, group);
        }
        let name = entry.settings.group.or_else(|| around.iter().find_map(|group| group.called()));
        let mut layers =
            Layers { settings: vec![entry.settings], group: name, modules: vec![entry.module_path] };
        for &group in groups {
            let is_around = around.iter().any(|other| std::ptr::eq(*other, group));
            if name.is_some() && group.called() == name && !is_around {
                layers.push(group);
            }
        }
        around.into_iter().for_each(|group| layers.push(group));
        layers
    }

    fn push(&mut self, group: &'a Group) {
        self.settings.push(&group.settings);
        self.modules.push(group.module_path);
    }

    /// What the first of them says that says anything.
    fn first<T>(&self, say: impl FnMut(&&'a Settings) -> Option<T>) -> Option<T> {
        self.settings.iter().find_map(say)
    }

    pub(super) fn cache(&self) -> Option<CacheStates> {
        self.first(|settings| settings.cache)
    }

    pub(super) fn threads(&self) -> Option<fn() -> Vec<usize>> {
        self.first(|settings| settings.threads)
    }

    pub(super) fn complexity(&self) -> Option<Complexity> {
        self.first(|settings| settings.complexity)
    }

    /// The baseline as it is written, and the module in which it is.
    pub(super) fn baseline(&self) -> Option<(&'a str, &'a str)> {
        let mut written = self.settings.iter().zip(&self.modules);
        written.find_map(|(settings, module)| settings.baseline.map(|path| (path, *module)))
    }

    /// What is said of each row of the function. `units` are those that an operation does, where only a row knows.
    pub(super) fn describe(&self, entry: &Entry, units: Option<u64>) -> BenchmarkSpec {
        // Each of the two takes the place of the other.
        let length = self.first(|s| s.iterations.or(s.sample_time).map(|_| (s.iterations, s.sample_time)));
        let (iterations, sample_time) = length.unwrap_or_default();
        let units = units.or(self.first(|settings| settings.batch));
        let scale = self.first(|settings| settings.scale);
        BenchmarkSpec {
            id: entry.id(),
            rust_name: entry.name.map(|_| entry.function.to_owned()),
            description: entry.description.to_owned(),
            file: entry.file.to_owned(),
            line: entry.line,
            ignored: entry.ignored,
            counted: entry.count != Count::None,
            count: match entry.count {
                Count::Fixed(count) => Some(count),
                Count::None | Count::Auto => None,
            },
            unroll: entry.unroll,
            samples: self.first(|settings| settings.samples),
            sample_time,
            iterations,
            warmup: self.first(|settings| warmup(settings)).flatten(),
            threshold: self.first(|settings| settings.threshold),
            unit: self.first(|settings| settings.unit).map(str::to_owned),
            batch: units.or(scale).map(|_| units.unwrap_or(1).saturating_mul(scale.unwrap_or(1))),
            throughput: listed(entry.settings.throughput.iter().copied()),
            group: self.group.map(str::to_owned),
            tags: listed(self.tags()),
            context: listed(self.context()),
            ..BenchmarkSpec::default()
        }
    }

    /// All tags, those of the outermost first.
    fn tags(&self) -> impl Iterator<Item = String> {
        let mut tags: Vec<&str> = Vec::new();
        for tag in self.settings.iter().rev().flat_map(|settings| settings.tags) {
            if !tags.contains(tag) {
                tags.push(tag);
            }
        }
        tags.into_iter().map(str::to_owned)
    }

    /// All of the context, that of the outermost first. Of one key, the innermost's value.
    fn context(&self) -> impl Iterator<Item = KeyValue> {
        let mut pairs: Vec<KeyValue> = Vec::new();
        for (key, value) in self.settings.iter().rev().flat_map(|settings| settings.context) {
            match pairs.iter_mut().find(|pair| pair.key == *key) {
                Some(pair) => (*value).clone_into(&mut pair.value),
                None => pairs.push(KeyValue { key: (*key).to_owned(), value: (*value).to_owned() }),
            }
        }
        pairs.into_iter()
    }
}

/// What is said of the calls before the first that counts: how many; or that there are as many as usual, whatever
/// others say.
fn warmup(settings: &Settings) -> Option<Option<u64>> {
    match (settings.prime, settings.warmup) {
        (Some(false), _) => Some(Some(0)),
        (_, Some(calls)) => Some(Some(calls)),
        (Some(true), None) => Some(None),
        (None, None) => None,
    }
}

/// A list, or nothing for an empty one.
fn listed<T>(items: impl IntoIterator<Item = T>) -> Option<Vec<T>> {
    let items: Vec<T> = items.into_iter().collect();
    (!items.is_empty()).then_some(items)
}

/// Whether `module` is `outer`, or a module in it.
fn is_within(module: &str, outer: &str) -> bool {
    module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Settings = Settings::DEFAULT;

    /// What is said of a function in `a::b::c`, of whose own and of groups with these settings.
    fn described(own: Settings, groups: &[(&'static str, Option<&'static str>, Settings)]) -> BenchmarkSpec {
        let group = |(module_path, name, settings)| Group { module_path, name, settings };
        let groups: Vec<Group> = groups.iter().copied().map(group).collect();
        let groups: Vec<&Group> = groups.iter().collect();
        let entry = Entry {
            module_path: "a::b::c",
            function: "f",
            settings: Box::leak(Box::new(own)),
            ..Entry::DEFAULT
        };
        Layers::of(&entry, &groups).describe(&entry, None)
    }

    #[test]
    fn the_innermost_wins_and_the_function_over_all() {
        let with = |samples, warmup| Settings { samples, warmup, ..NONE };
        let groups = [
            ("a", None, Settings { unit: Some("row"), threshold: Some(1.0), ..with(Some(1), Some(1)) }),
            ("a::b", None, Settings { threshold: Some(2.5), ..with(Some(2), Some(2)) }),
            ("a::bc", None, with(Some(3), Some(3))),
            ("a::b::c::d", None, with(Some(4), Some(4))),
        ];
        let found = described(with(Some(5), None), &groups);
        assert_eq!((found.samples, found.warmup, found.unit.as_deref()), (Some(5), Some(2), Some("row")));
        assert_eq!(found.threshold, Some(2.5));
    }

    #[test]
    fn a_group_is_told_by_its_name_wherever_the_function_is() {
        let named = ("other", Some("io"), Settings { samples: Some(7), tags: &["slow"], ..NONE });
        let around = ("a", None, Settings { samples: Some(1), ..NONE });
        let own = Settings { group: Some("io"), tags: &["mine", "slow"], ..NONE };
        let found = described(own, &[around, named]);
        assert_eq!((found.group.as_deref(), found.samples), (Some("io"), Some(7)));
        assert_eq!(found.tags.unwrap(), ["slow", "mine"]);
        assert_eq!(described(NONE, &[named]).group, None);
        let inherited = described(NONE, &[("a::b", Some("inner"), NONE), ("a", Some("outer"), NONE)]);
        assert_eq!(inherited.group.as_deref(), Some("inner"));
    }

    #[test]
    fn what_takes_the_place_of_something_else_takes_it_in_a_group_too() {
        let group = Settings { iterations: Some(5), warmup: Some(9), ..NONE };
        let own = Settings { sample_time: Some(100), prime: Some(true), ..NONE };
        let found = described(own, &[("a", None, group)]);
        assert_eq!((found.iterations, found.sample_time, found.warmup), (None, Some(100), None));
        let own = Settings { prime: Some(false), ..NONE };
        let found = described(own, &[("a", None, group)]);
        assert_eq!((found.iterations, found.warmup), (Some(5), Some(0)));
    }

    #[test]
    fn a_function_has_its_own_name_beside_the_one_that_is_shown() {
        let of = |name| {
            let entry = Entry { module_path: "a::b", function: "f", name, ..Entry::DEFAULT };
            let found = Layers::of(&entry, &[]).describe(&entry, None);
            (found.id.to_string(), found.rust_name)
        };
        assert_eq!(of(None), ("b::f".to_owned(), None));
        assert_eq!(of(Some("x / y")), ("b::x / y".to_owned(), Some("f".to_owned())));
    }

    #[test]
    fn batch_and_scale_are_multiplied() {
        assert_eq!(described(NONE, &[]).batch, None);
        assert_eq!(described(Settings { scale: Some(3), ..NONE }, &[]).batch, Some(3));
        let group = Settings { batch: Some(5), ..NONE };
        assert_eq!(described(Settings { scale: Some(3), ..NONE }, &[("a", None, group)]).batch, Some(15));
    }

    #[test]
    fn the_context_of_all_is_kept_and_the_innermost_value() {
        let group = Settings { context: &[("os", "any"), ("kind", "io")], ..NONE };
        let own = Settings { context: &[("kind", "cpu"), ("n", "1")], ..NONE };
        let context = described(own, &[("a", None, group)]).context.unwrap();
        let pairs: Vec<_> = context.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect();
        assert_eq!(pairs, [("os", "any"), ("kind", "cpu"), ("n", "1")]);
    }
}
