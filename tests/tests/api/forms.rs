//! Compiles all forms of benchmarks with `cfg(test)` and checks what the attribute registers for
//! each. Their smoke tests run in addition to these tests.
//!
//! The example `ui/forms.rs` compiles the same files without `cfg(test)`.

#![forbid(unsafe_code)]

#[path = "../../ui/pass/mod.rs"]
mod pass;

use nanobench::__private::{
    Body, CacheStates, Count, Entry, Registered, RegisteredGroup, Settings, inventory,
};
use pass::{asynchronous, inputs, settings, state};

/// Runs a benchmark once, as its smoke test does.
fn smoke_test(path: &str) {
    nanobench::__private::test(entry(path), "");
}

/// The benchmark of the function with this path below the crate.
fn entry(path: &str) -> &'static Entry {
    let (modules, function) = path.rsplit_once("::").expect("a path has a module");
    let module_path = format!("{}::pass::{modules}", module_path!());
    let found: Vec<_> = inventory::iter::<Registered>
        .into_iter()
        .map(|Registered(entry)| *entry)
        .filter(|entry| entry.module_path == module_path && entry.function == function)
        .collect();
    assert_eq!(found.len(), 1, "{path}: {found:?}");
    found[0]
}

#[test]
fn functions_stay_callable() {
    pass::main();
}

#[test]
fn counts() {
    for path in ["forms::nothing", "forms::value", "forms::control", "names::functions::tc"] {
        assert_eq!(entry(path).count, Count::None, "{path}");
    }
    for path in ["forms::count_u64", "forms::count_u32", "forms::count_usize", "forms::count_and_control"] {
        assert_eq!(entry(path).count, Count::Auto, "{path}");
    }
    let fixed = [
        ("forms::fixed", 1_000),
        ("forms::fixed_in_other_digits", 255),
        ("forms::fixed_by_expression", 6),
        ("forms::fixed_by_call", u64::from(usize::BITS)),
        ("forms::control_and_count", 7),
        ("forms::large", 1 << 32),
        ("names::shadowed::function", 12),
        ("names::without_prelude::function", 2),
        ("by_macro::literal", 5),
        ("by_macro::expression", 10),
        ("by_macro::operators", 6),
    ];
    for (path, count) in fixed {
        assert_eq!(entry(path).count, Count::Fixed(count), "{path}");
    }
}

#[test]
fn a_number_is_the_input_only_without_another_input() {
    for path in ["inputs::number", "inputs::number_by_reference", "inputs::text", "inputs::other_number"] {
        assert_eq!(entry(path).count, Count::None, "{path}");
    }
    assert_eq!(entry("inputs::in_another_order").count, Count::Auto);
    assert_eq!(entry("inputs::number_and_count").count, Count::Fixed(5));
    assert_eq!(entry("inputs::all_of_it").count, Count::Fixed(2));
}

#[test]
fn each_call_has_an_input_of_its_own() {
    smoke_test("inputs::counted");
    smoke_test("inputs::counted");
    assert_eq!((inputs::MADE.get(), inputs::TAKEN.get()), (2, 2));
}

#[test]
fn unrolled() {
    let times = [
        ("settings::unrolled", 10),
        ("settings::unrolled_value", 3),
        ("settings::unrolled_count", 4),
        ("settings::unrolled_opaque", 2),
        ("settings::unrolled_once", 1),
        ("settings::unrolled_most", 1_000),
        ("settings::by_literals", 5),
    ];
    for (path, times) in times {
        settings::CALLS.set(0);
        smoke_test(path);
        assert_eq!((settings::CALLS.get(), entry(path).unroll), (times, times), "{path}");
    }
    assert_eq!(entry("settings::literals").unroll, 1);
    assert_eq!(entry("settings::unrolled_count").count, Count::Fixed(7));
}

#[test]
fn reset() {
    let times = [
        ("reset_by_path", 1),
        ("reset_by_long_path", 1),
        ("reset_by_closure", 7),
        ("reset_by_block", 2),
        ("reset_and_setup", 1),
        ("by_literals", 1),
        ("by_expressions", 5),
    ];
    for (function, times) in times {
        settings::RESETS.set(0);
        smoke_test(&format!("settings::{function}"));
        assert_eq!(settings::RESETS.get(), times, "{function}");
    }
}

#[test]
fn settings_are_noted() {
    let entry = |function| entry(&format!("settings::{function}"));
    let noted = |function| {
        let Settings { samples, sample_time, iterations, warmup, prime, .. } = *entry(function).settings;
        (samples, sample_time, iterations, warmup, prime)
    };
    assert_eq!(noted("unrolled"), (None, None, None, None, None));
    assert_eq!(noted("literals"), (Some(5), Some(1_000_000), None, Some(3), None));
    assert_eq!(noted("expressions"), (Some(5), None, Some(50), Some(0), None));
    assert_eq!(noted("other_digits"), (Some(16), None, Some(1_000), None, Some(true)));
    assert_eq!(noted("not_primed"), (None, Some(1_500), None, None, Some(false)));
    assert_eq!(noted("not_warmed_up"), (None, None, None, Some(0), None));
    assert_eq!(noted("all_at_once"), (Some(3), Some(20), None, Some(1), Some(true)));
    assert_eq!(noted("by_literals"), (Some(6), Some(1_000_000), None, None, Some(false)));
    assert_eq!(noted("by_expressions"), (Some(6), Some(2_000_000), None, None, Some(true)));
    let limits = |function| {
        let Settings { precision, min_time, max_time, timeout, .. } = *entry(function).settings;
        (precision, min_time, max_time, timeout)
    };
    let (ms, minutes) = (Some(1_000_000), Some(120_000_000_000));
    assert_eq!(limits("limited"), (Some(0.03), ms, ms, minutes));
    assert_eq!(limits("by_literals"), (None, None, None, ms));
    let threshold = |function| entry(function).settings.threshold;
    assert_eq!((threshold("unrolled"), threshold("whole_threshold")), (None, Some(0.02)));
    assert_eq!((threshold("small_threshold"), threshold("computed_threshold")), (Some(0.0025), Some(0.015)));
    assert_eq!((entry("all_at_once").unroll, entry("all_at_once").name), (5, Some("all")));
}

#[test]
fn state_is_made_and_done_with() {
    // Number of values made, and number of calls of `teardown`.
    let times = [
        ("each_sample", 1, 0),
        ("each_sample_with_teardown", 1, 1),
        ("each_sample_with_path", 1, 1),
        ("each_sample_with_bare_teardown", 1, 1),
        ("each_benchmark", 1, 0),
        ("each_benchmark_with_teardown", 1, 1),
        ("each_benchmark_with_path", 1, 1),
        ("each_benchmark_with_bare_teardown", 0, 1),
        ("sample_of_argument", 2, 2),
        ("benchmark_of_argument", 2, 2),
        ("benchmark_beside_argument", 2, 2),
        ("teardown_by_path", 0, 1),
        ("teardown_and_reset", 0, 3),
        ("teardown_and_setup", 0, 1),
        ("teardown_and_args", 0, 2),
    ];
    for (function, made, done) in times {
        state::MADE.set(0);
        state::DONE.set(0);
        smoke_test(&format!("state::{function}"));
        assert_eq!((state::MADE.get(), state::DONE.get()), (made, done), "{function}");
    }
}

#[test]
fn a_function_makes_one_runtime() {
    for path in ["asynchronous::on_runtime", "asynchronous::on_runtime_with_all"] {
        asynchronous::RUNTIMES.set(0);
        smoke_test(path);
        smoke_test(path);
        // The test that the attribute makes may have made it before, in another thread.
        let made = asynchronous::RUNTIMES.get();
        assert!(made <= 1, "{path}: {made}");
    }
}

#[test]
fn only_functions_that_ask_for_more_make_cases() {
    for path in
        ["forms::nothing", "inputs::text", "settings::literals", "asynchronous::value", "state::fixture"]
    {
        assert!(matches!(entry(path).body, Body::Plain(_)), "{path}");
    }
    for path in
        ["rows::array", "rows::types", "settings::reset_by_path", "figures::bytes", "state::each_sample"]
    {
        assert!(matches!(entry(path).body, Body::Cases(_)), "{path}");
    }
}

#[test]
fn figures_are_noted() {
    let settings = |function| entry(&format!("figures::{function}")).settings;
    assert_eq!((settings("batch").batch, settings("batch_of_constant").batch), (Some(10), Some(128)));
    assert_eq!((settings("scale").scale, settings("other_types").scale), (Some(2), Some(64)));
    assert_eq!((settings("batch_of_constant").unit, settings("unit").unit), (Some("byte"), Some("µop")));
    let units = settings("several").throughput.iter().map(|unit| unit.word());
    assert!(units.eq(["byte", "item", "char"]));
    assert_eq!(settings("compared").baseline, Some("batch"));
    assert_eq!(settings("compared_by_path").baseline, Some("self::other::first"));
    assert_eq!((settings("grouped").group, settings("grouped").tags), (Some("named"), &["slow", "io"][..]));
    assert_eq!(
        (settings("cold").cache, settings("both").cache),
        (Some(CacheStates::Cold), Some(CacheStates::Both))
    );
    assert_eq!(settings("threads").threads.map(|threads| threads()), Some(vec![1, 2]));
    let threads = |function| settings(function).threads.map(|threads| threads());
    for function in ["threads_of_constant", "threads_of_function", "threads_of_range"] {
        assert_eq!(threads(function), Some(vec![1, 2]), "{function}");
    }
    assert_eq!(threads("threads_of_one_constant"), Some(vec![2]));
    assert!(matches!(threads("threads_of_machine").as_deref(), Some([1 | 2])));
    let context = [("input", "random"), ("seed", "5"), ("ratio", "-0.5"), ("sorted", "false"), ("sep", ",")];
    assert_eq!(settings("context").context, context);
    let curve = |function| settings(function).complexity.map(|complexity| complexity.custom);
    assert!(matches!(curve("complexity"), Some(None)) && curve("batch").is_none());
    let (text, of_closure) = curve("complexity_of_closure").flatten().unwrap();
    assert_eq!((text, of_closure(16.0)), ("n.sqrt() * 2.0", 8.0));
    let (text, of_path) = curve("complexity_of_path").flatten().unwrap();
    assert_eq!((text, of_path(1.0)), ("curve", 0.0));
    assert_eq!(settings("of_instance").batch, None, "each row has its own");
}

#[test]
fn groups() {
    let group = |path: &str| {
        let module_path = format!("{}::pass::{path}", module_path!());
        let mut groups = inventory::iter::<RegisteredGroup>.into_iter();
        groups.find(|RegisteredGroup(group)| group.module_path == module_path).map(|group| group.0)
    };
    let other = group("figures::other").unwrap();
    assert_eq!((other.name, other.settings.samples, other.settings.unit), (None, Some(7), Some("key")));
    assert_eq!((other.settings.tags, other.settings.baseline), (&["both", "module"][..], Some("first")));
    assert_eq!(other.settings.context, [("of", "module")]);
    let inner = group("figures::other::inner").unwrap();
    assert_eq!((inner.settings.cache, inner.settings.iterations), (Some(CacheStates::Both), Some(9)));
    let named = group("figures::named").unwrap();
    assert_eq!((named.name, named.settings.threads.map(|threads| threads())), (Some("named"), Some(vec![2])));
    assert_eq!((named.settings.warmup, named.settings.batch), (Some(0), Some(2)));
    assert_eq!(group("figures::r#mod::r#type").unwrap().settings.tags, ["raw"]);
    assert_eq!(group("figures::written").unwrap().name, Some("by a macro"));
    assert!(group("figures::left_out").is_none());
}

#[test]
fn names_and_descriptions() {
    assert_eq!(entry("forms::value").name, None);
    assert_eq!(entry("forms::named").name, Some("named / short keys"));
    assert_eq!(entry("by_macro::literal").name, Some("by literal"));
    let descriptions = [
        ("attributes::there", ""),
        ("attributes::one_line", "One line."),
        ("attributes::several_lines", "First.\n\n  Indented.\nLast."),
        ("attributes::block", "Block.\nComment."),
        ("attributes::mixed", "Made by a macro.\nAnd written."),
        ("names::shadowed::conditional", "Joined\ntext"),
        ("by_macro::parts", "Written by hand."),
        ("by_macro::second", "Second."),
        ("by_macro::literal", "Of literal."),
    ];
    for (path, description) in descriptions {
        assert_eq!(entry(path).description, description, "{path}");
    }
}

#[test]
fn raw_names_lose_their_mark() {
    for path in ["names::raw::try", "names::raw::match", "names::raw::größe", "names::raw::r#loop::fn"] {
        entry(path);
    }
}

#[test]
fn ignored() {
    let ignored = ["ignored", "ignored_with_reason", "ignored_where_it_holds"]
        .map(|name| format!("attributes::{name}"));
    for path in ignored.iter().map(String::as_str).chain(["by_macro::private", "by_macro::second"]) {
        assert!(entry(path).ignored, "{path}");
    }
    let module = ["inside", "deeper::twice", "deeper::marked::innermost"];
    for path in module.map(|name| format!("attributes::ignored_module::{name}")) {
        assert!(entry(&path).ignored, "{path}");
    }
    let run = "attributes::not_ignored_module::run";
    for path in ["attributes::not_ignored", "attributes::there", "by_macro::first", run] {
        assert!(!entry(path).ignored, "{path}");
    }
}

#[test]
fn a_function_that_is_left_out_has_no_benchmark() {
    let left_out = ["not_there", "not_there_either", "left_out"];
    let found = inventory::iter::<Registered>.into_iter().find(|entry| left_out.contains(&entry.0.function));
    assert!(found.is_none(), "{found:?}");
}

#[nanobench::nanobench]
fn here() {}
const LINE_OF_HERE: u32 = line!() - 1;

macro_rules! benchmarks {
    ($($name:ident)*) => {
        $(#[nanobench::nanobench] fn $name() {})*

        #[nanobench::nanobench]
        fn name_of_the_macro() {}
    };
}

benchmarks! {
    zebra apple
    mango
}
const LINE_OF_MANGO: u32 = line!() - 2;

#[test]
fn the_place_is_that_of_the_name() {
    let place = |function: &str| {
        let mut entries = inventory::iter::<Registered>.into_iter().map(|registered| registered.0);
        let entry = entries.find(|entry| entry.function == function).expect("the function is marked");
        assert_eq!((entry.file, entry.module_path), (file!(), module_path!()));
        (entry.line, entry.column)
    };
    assert_eq!(place("here"), (LINE_OF_HERE, 4));
    let by_macro = ["name_of_the_macro", "zebra", "apple", "mango"].map(place);
    let lines = [LINE_OF_MANGO - 2, LINE_OF_MANGO - 1, LINE_OF_MANGO - 1, LINE_OF_MANGO];
    assert_eq!(by_macro.map(|(line, _)| line), lines);
    assert_eq!(by_macro.map(|(_, column)| column), [1, 5, 11, 5]);
}
