//! All forms under `cfg(test)`: what is known of each benchmark, and its smoke test, which runs beside these tests.
//!
//! The files are those that `ui.rs` compiles without `cfg(test)`.

#![forbid(unsafe_code)]

#[path = "../ui/pass/attributes.rs"]
mod attributes;
#[path = "../ui/pass/by_macro.rs"]
mod by_macro;
#[path = "../ui/pass/forms.rs"]
mod forms;
#[path = "../ui/pass/names.rs"]
mod names;

use nanobench as nanobench_again;
use nanobench::__private::{Count, Entry, Registered, inventory};

/// The benchmark of the function with this path below the crate.
fn entry(path: &str) -> &'static Entry {
    let (modules, function) = path.rsplit_once("::").expect("a path has a module");
    let module_path = format!("{}::{modules}", module_path!());
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
    attributes::main();
    by_macro::main();
    forms::main();
    names::main();
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
    ];
    for (path, count) in fixed {
        assert_eq!(entry(path).count, Count::Fixed(count), "{path}");
    }
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
    for path in ["attributes::not_ignored", "attributes::there", "by_macro::first"] {
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
const LINE_OF_HERE: u32 = line!() - 2;

#[test]
fn the_place_is_that_of_the_attribute() {
    let Registered(here) = inventory::iter::<Registered>
        .into_iter()
        .find(|entry| entry.0.function == "here")
        .expect("the function above is marked");
    assert_eq!((here.file, here.line, here.module_path), (file!(), LINE_OF_HERE, module_path!()));
}
