//! Constants, statics and their alignment.

use super::*;

/// Returns whether a function counts as the same although one value of it or of its data differs. Panics if
/// a second build with the same values doesn't.
fn is_same(folder: &Path, name: &str, f: &str, data: &str) -> bool {
    let of = |side: &str, value: &str| {
        let (small, text) = if value == "300" { ("4", "three") } else { ("6", "eerht") };
        let fill = |text_of: &str| {
            let values = [("VALUE", value), ("LINE", value), ("SMALL", small), ("TEXT", text)];
            values.iter().fold(text_of.to_owned(), |filled, (name, value)| filled.replace(name, value))
        };
        program(folder, &format!("{name}-{side}"), &fill(f), &fill(data), "")
    };
    let [base, again, changed] = [of("base", "300"), of("again", "300"), of("changed", "340")];
    let [again, changed] =
        [again, changed].map(|other| CodeComparer::default().compare(&base, &other, ["f"; 2]));
    assert_eq!(again, CodeMatch::Same, "{name}");
    changed == CodeMatch::Same
}

#[test]
fn constants_and_statics_count() {
    let folder = tempfile::tempdir().unwrap();
    let is_same = |name: &str, f: &str, data: &str| is_same(folder.path(), name, f, data);
    let local = "thread_local! { static TL: std::cell::Cell<u64> = const { std::cell::Cell::new(VALUE) } }";
    assert!(!is_same("local", "helper(TL.get() + v[0])", local), "thread-local storage");
    let by_match = "match std::hint::black_box(v[0]) { 1 => &[10_u64, 20, 30], 2 => &[20, 30, 40], 3 => &[30, 40, VALUE], \
                    4 => &[40, 50, 60], 5 => &[50, 60, 70], _ => &[60, 70, 80] }.iter().sum()";
    assert!(!is_same("match", by_match, ""), "values of a match");
    let locks = "static L300: std::sync::Mutex<u64> = std::sync::Mutex::new(0); static L340: std::sync::Mutex<u64> = std::sync::Mutex::new(0);
        #[used] static USES: fn() = uses; fn uses() { *L300.lock().unwrap() = 1; *L340.lock().unwrap() = 1; }";
    let lock = "helper(*LVALUE.lock().unwrap() + v[0])";
    assert!(!is_same("locks", lock, locks), "another static with the same contents");
    let mutable = "static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(VALUE);";
    let add = "helper(COUNT.fetch_add(v[0], std::sync::atomic::Ordering::Relaxed))";
    assert!(!is_same("mutable", add, mutable), "an initial value");
    assert!(!is_same("float", "((v[0] as f64) * VALUE.5) as u64", ""), "a floating-point constant");
    let texts = "let t = match std::hint::black_box(v[0]) { 1 => \"one\", 2 => \"two\", 3 => \"TEXT\", 4 => \"four\", \
                 5 => \"five\", _ => \"many\" }; t.bytes().map(u64::from).sum()";
    assert!(!is_same("texts", texts, ""), "a text of a match");
    let first = by_match.replace(".iter().sum()", "").replace("30, 40, VALUE", "VALUE, 40, 50");
    assert!(!is_same("first", &format!("({first})[0] * 7"), ""), "the first value of an array of a match");
    let texts = "const T: [&str; 4] = [\"a0\", \"TEXT\", \"c00\", \"d\"]; helper(T[std::hint::black_box(v[0] as usize & 3)].as_bytes()[0].into())";
    assert!(!is_same("first-text", texts, ""), "the first byte of a text of a table");
}

#[test]
fn numbers_that_look_like_something_else_count() {
    let folder = tempfile::tempdir().unwrap();
    let is_same = |name: &str, f: &str, data: &str| is_same(folder.path(), name, f, data);
    let files = "static FILES: [(&str, u64); 2] = [(\"a.rs\", VALUE), (\"b.rs\", 400)];";
    let sum = "std::hint::black_box(&FILES).iter().map(|file| file.1 + v[0]).sum()";
    assert!(!is_same("files", sum, files), "no panic location");
    let nameless = "std::hint::black_box(&[(\"a.rs\", VALUE_u64), (\"b.rs\", 400)]).iter().map(|file| file.1 + v[0]).sum()";
    assert!(!is_same("nameless", nameless, ""), "no panic location, even without a symbol");
    let small = "let t: &[u64; 4] = &[SMALL, 0, 0, 0]; helper(std::hint::black_box(t)[v[0] as usize & 3])";
    assert!(!is_same("small", small, ""), "a small number");
    let like_places = "std::hint::black_box(&[(\"a.rs\", LINE_u32, 5_u32), (\"b.rs\", 40, 5)]).iter()\
                       .map(|place| u64::from(place.1) + v[0]).sum()";
    assert!(!is_same("places", like_places, ""), "a table that looks like places of panics");
    let like_offsets =
        "std::hint::black_box(&[-VALUE_i32, -7, -9, 11]).iter().map(|n| *n as i64 as u64 + v[0]).sum()";
    assert!(!is_same("offsets", like_offsets, ""), "numbers that look like offsets");
    let shared = "#[used] static USER: fn(u64) -> u64 = user;
        #[inline(never)] fn user(n: u64) -> u64 { let part = &TABLE[1..]; std::hint::black_box(part).len() as u64 + n }";
    let of = |name: &str, table: &str, use_of_one: &str| {
        let f = format!("std::hint::black_box(TABLE).iter().map(|one| {use_of_one} + v[0]).sum()");
        is_same(name, &f, &format!("{table}; {shared}"))
    };
    let numbers = "const TABLE: &[u64] = &[1, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE]";
    assert!(!of("slice", numbers, "one"), "a slice with as many elements as bytes before the reference");
    let numbers = "const TABLE: &[i32] = &[7, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE]";
    assert!(!of("like-offsets", numbers, "*one as u64"), "numbers that look like offsets to code");
    let places =
        "const TABLE: &[(&str, u32, u32)] = &[(\"a.rs\", 1, 2), (\"b.rs\", LINE, 2), (\"c.rs\", LINE, 2)]";
    assert!(!of("like-places", places, "u64::from(one.1)"), "numbers that look like places of panics");
    let addresses = "static IMAGE: [u64; 3] = [0x1VALUE0, 0x20000, 0x30000];";
    let sum = "std::hint::black_box(&IMAGE).iter().map(|n| *n + v[0]).sum()";
    assert!(!is_same("addresses", sum, addresses), "numbers that look like addresses");
    let chained = "#[inline(never)] fn root(next: &[i32], i: i32) -> i32 { next[next[i as usize] as usize] }";
    assert!(
        !is_same("chained", "helper(root(&[2, 1, SMALL, 0, 0, 0, 0], v[0] as i32 & 3) as u64)", chained),
        "indices"
    );
    let sizes = "static SIZES: [u32; 4] = [VALUE, 1, 2, 3];";
    let sum = "std::hint::black_box(&SIZES).iter().map(|size| u64::from(*size) + v[0]).sum()";
    assert!(!is_same("sizes", sum, sizes), "no offsets");
}

#[test]
fn what_is_reached_through_references_counts() {
    let folder = tempfile::tempdir().unwrap();
    let is_same = |name: &str, f: &str, data: &str| is_same(folder.path(), name, f, data);
    let interior = "#[used] static USER: fn(u64) -> u64 = user;
        const TABLE: &[u64; 8] = &[1, 2, 3, 4, 5, 6, VALUE, 8];
        fn user(n: u64) -> u64 { std::hint::black_box(&TABLE[4..]).iter().sum::<u64>() + n }";
    assert!(
        !is_same("interior", "std::hint::black_box(TABLE)[v[0] as usize & 7]", interior),
        "behind a reference"
    );
    let inner = "static NUMBERS: [u64; 3] = [1, 2, VALUE]; static LAST: &u64 = &NUMBERS[2];";
    assert!(
        !is_same("inner", "helper(**std::hint::black_box(&LAST) + v[0])", inner),
        "through an interior pointer"
    );
    let called = "static CALLED: [fn(u64) -> u64; 2] = [one, two]; fn one(n: u64) -> u64 { n + 1 }
        fn two(n: u64) -> u64 { (0..n + VALUE).map(std::hint::black_box).sum() }";
    assert!(
        !is_same("called", "std::hint::black_box(&CALLED)[v[0] as usize & 1](v[0])", called),
        "through a table"
    );
    let method = "trait Act { fn act(&self, n: u64) -> u64; } struct S; struct T;
        impl Act for S { fn act(&self, n: u64) -> u64 { n + 1 } }
        impl Act for T { fn act(&self, n: u64) -> u64 { (0..n + VALUE).map(std::hint::black_box).sum() } }";
    let act = "let all: [&dyn Act; 2] = [&S, &T]; std::hint::black_box(all)[v[0] as usize & 1].act(v[0])";
    assert!(!is_same("method", act, method), "a method of a trait object");
    let caught = "struct P; impl Drop for P { fn drop(&mut self) { std::hint::black_box(VALUE); } }
        #[inline(never)] fn caught(n: u64) -> bool { std::panic::catch_unwind(|| if n > 3 { std::panic::panic_any(P) }).is_err() }";
    assert!(!is_same("caught", "helper(u64::from(caught(v[0])))", caught), "behind a generic panic");
    let nodes = "struct Node(Option<&'static Node>, u64);
        static NODES: [Node; 10_001] = { const NONE: Node = Node(None, 3); let mut a = [NONE; 10_001]; let mut i = 0;
        while i < 10_000 { a[i] = Node(Some(&NODES[i + 1]), VALUE); i += 1; } a };";
    let walk = "let (mut n, mut s) = (std::hint::black_box(&NODES[0]), v[0]);
        while let Some(next) = n.0 { s += n.1; n = next; } s";
    assert!(!is_same("list", walk, nodes), "a linked list, too long for a recursion");
}

#[test]
fn a_lost_alignment_counts() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, alignment: &str| {
        let wide = format!(
            "#[repr(C{alignment})] struct Wide([u8; 256]);
            #[unsafe(no_mangle)] static WIDE: Wide = Wide([3; 256]);
            #[used] static USES: &Wide = &WIDE;"
        );
        let f = "let at = std::hint::black_box(&raw const WIDE as usize); helper(at as u64 + v[0])";
        program(folder.path(), name, f, &wide, "")
    };
    let [aligned, again, other] =
        [("aligned", ", align(64)"), ("again", ", align(64)"), ("other", "")].map(|(n, a)| of(n, a));
    assert_eq!(CodeComparer::default().compare(&aligned, &again, ["f"; 2]), CodeMatch::Same);
    let differs = CodeMatch::Differs(Some("program::f".to_owned()));
    assert_eq!(CodeComparer::default().compare(&aligned, &other, ["f"; 2]), differs);
}
