//! Tests with data and functions that no instruction names.

use super::*;

#[test]
fn sections_that_a_program_walks_count_as_wholes() {
    let folder = tempfile::tempdir().unwrap();
    let collected = |name: &str, f: &str, value: &str, alone: &str| {
        let more = format!(
            "#[used] #[unsafe(link_section = \"mine\")] static A: u64 = 1;
            #[used] #[unsafe(link_section = \"mine\")] static B: u64 = {value};
            #[used] #[unsafe(link_section = \"theirs\")] static C: u64 = {alone};
            unsafe extern \"C\" {{ #[link_name = \"__start_mine\"] static START: u64;
                #[link_name = \"__stop_mine\"] static STOP: u64; }}"
        );
        program(folder.path(), name, f, &more, "")
    };
    let from_start = "let start = std::hint::black_box(&raw const START);
        (0..2).map(|i| helper(unsafe { *start.add(i) } + v[0])).sum()";
    let from_first = from_start.replace("START", "A");
    let from_stop = "let stop = std::hint::black_box(&raw const STOP);
        (1..3).map(|i| helper(unsafe { *stop.sub(i) } + v[0])).sum()";
    for (name, f) in [("start", from_start), ("first", &from_first), ("stop", from_stop)] {
        let of = |side: &str, value, alone| collected(&format!("{name}-{side}"), f, value, alone);
        let base = of("base", "5", "7");
        let compare = |other: &Path| CodeComparer::default().compare(&base, other, ["f"; 2]);
        assert_eq!(compare(&of("again", "5", "7")), CodeMatch::Same, "{name}");
        assert_eq!(compare(&of("alone", "5", "8")), CodeMatch::Same, "{name}: another section");
        assert!(matches!(compare(&of("other", "6", "7")), CodeMatch::Differs(_)), "{name}");
    }
    let unrelated =
        |name: &str, value| collected(name, "helper(unsafe { (&raw const A).read_volatile() })", value, "7");
    let [base, other] = [unrelated("one", "5"), unrelated("two", "6")];
    assert_eq!(
        CodeComparer::default().compare(&base, &other, ["f"; 2]),
        CodeMatch::Same,
        "reads the first only"
    );
}

#[test]
fn functions_that_are_found_by_name_count() {
    const F: &str = "let found = unsafe { dlsym(std::ptr::null_mut(), c\"by_name\".as_ptr()) };
        helper(v[0] + unsafe { std::mem::transmute::<_, extern \"C\" fn(u64) -> u64>(found) }(3))";
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, f: &str, work: &str, more: &str| {
        let exported = format!(
            "unsafe extern \"C\" {{ fn dlsym(library: *mut u8, name: *const i8) -> *const u8; }}
            #[used] static KEEPS: extern \"C\" fn(u64) -> u64 = by_name;
            #[unsafe(no_mangle)] #[inline(never)] extern \"C\" fn by_name(n: u64) -> u64 {{ {work} }} {more}"
        );
        program_linked(folder.path(), name, &[f, &exported, "", ""], &["-C", "link-arg=-rdynamic"])
    };
    let compare = |one: &Path, other: &Path| CodeComparer::default().compare(one, other, ["f"; 2]);
    let [base, again] = ["base", "again"].map(|name| of(name, F, "n + 1", ""));
    assert_eq!(compare(&base, &again), CodeMatch::Same);
    assert_ne!(compare(&base, &of("changed", F, "n / 7", "")), CodeMatch::Same);
    let another =
        "#[used] static TOO: extern \"C\" fn() = another; #[unsafe(no_mangle)] extern \"C\" fn another() {}";
    assert_eq!(compare(&base, &of("another", F, "n + 1", another)), CodeMatch::Uncertain);
    let [base, changed] =
        [("b", "n + 1"), ("c", "n / 7")].map(|(name, work)| of(name, "helper(v[0])", work, ""));
    assert_eq!(compare(&base, &changed), CodeMatch::Same, "not by this one");
}

/// Ways to read all numbers of `TABLE`, as benchmarks. `helper` is a call, so that no loop is
/// vectorised.
const READERS: [(&str, &str); 6] = [
    ("forwards", "TABLE.iter().map(|n| helper(*n + v[0])).sum()"),
    ("backwards", "TABLE.iter().rev().map(|n| helper(*n + v[0])).sum()"),
    (
        "from_the_end",
        "let end = std::hint::black_box(TABLE.as_ptr_range().end);
        (1..=TABLE.len()).map(|i| helper(unsafe { *end.sub(i) } + v[0])).sum()",
    ),
    (
        "from_before",
        "let before = std::hint::black_box(TABLE.as_ptr().wrapping_sub(1));
        (1..=TABLE.len()).map(|i| helper(unsafe { *before.add(i) } + v[0])).sum()",
    ),
    (
        "stored",
        "struct End(*const u64); unsafe impl Sync for End {}
        static END: End = End(TABLE.as_ptr_range().end);
        let end = std::hint::black_box(&END).0;
        (1..=TABLE.len()).map(|i| helper(unsafe { *end.sub(i) } + v[0])).sum()",
    ),
    ("neighbour", "std::hint::black_box(NEIGHBOURS)[1].iter().map(|n| helper(*n + v[0])).sum()"),
];

#[test]
fn tables_count_that_are_addressed_from_outside() {
    let named =
        "static A_BEFORE: [u64; 9] = [NEAR; 9]; static TABLE: [u64; 9] = [3, 4, 5, 6, 7, 8, 9, 1, OWN];
        static Z_BEHIND: [u64; 9] = [1, 2, 3, 4, 5, 6, 7, 8, NEAR];
        static NEIGHBOURS: [&[u64]; 2] = [&A_BEFORE, &Z_BEHIND];";
    let nameless = "const TABLE: &[u64; 9] = &[3, 4, 5, 6, 7, 8, 9, 1, OWN];
        static NEIGHBOURS: [&[u64]; 2] = [&[NEAR; 9], &[1, 2, 3, 4, 5, 6, 7, 8, NEAR]];";
    // Of constants of these sizes, the linker keeps one copy each.
    let merged = "const TABLE: &[u64; 4] = &[3, 4, 5, OWN];
        static NEIGHBOURS: [&[u64]; 2] = [&[NEAR; 4], &[1, 2, 3, NEAR]];";
    let folder = tempfile::tempdir().unwrap();
    for (kind, table) in [("named", named), ("nameless", nameless), ("merged", merged)] {
        let of = |side: &str, own, near| {
            let table = table.replace("OWN", own).replace("NEAR", near);
            let benchmarks = READERS.map(|(name, body)| {
                format!(
                    "#[used] static NANOBENCH_ENTRY_{name}: fn(&[u64]) -> u64 = {name};
                    #[inline(never)] fn {name}(v: &[u64]) -> u64 {{ {body} }}"
                )
            });
            program(folder.path(), &format!("{kind}-{side}"), "v[0]", &(table + &benchmarks.concat()), "")
        };
        let [base, changed, near] = [of("base", "2", "7"), of("changed", "6", "7"), of("near", "2", "8")];
        for (name, _) in READERS {
            let compare = |other: &Path| CodeComparer::default().compare(&base, other, [name; 2]);
            let differs = CodeMatch::Differs(Some(format!("program::{name}")));
            let (of_changed, of_near) =
                if name == "neighbour" { (CodeMatch::Same, differs) } else { (differs, CodeMatch::Same) };
            assert_eq!(compare(&changed), of_changed, "{kind} {name}");
            assert_eq!(compare(&near), of_near, "{kind} {name}: another table");
        }
    }
}
