//! Tests with edits that don't change what a benchmark does.

use super::*;

const TYPES: &str = "use std::{any::Any, hint::black_box, sync::OnceLock}; struct One; struct Two(u8);
    type Shared = Box<dyn Any + Send + Sync>; static STORED: OnceLock<Shared> = OnceLock::new();
    #[inline(never)] fn any(n: u64) -> Shared { if n == 1 { Box::new(One) } else { Box::new(Two(n as u8)) } }
    #[inline(never)] fn is_one(any: &dyn Any) -> bool { any.is::<One>() }";

#[test]
fn hashes_of_types_that_change_with_the_metadata_are_the_same() {
    const F: &str = "let any = any(black_box(v[0])); u64::from(is_one(&*black_box(any)))";
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, types: &str, metadata: &str| {
        let metadata = format!("metadata={metadata}");
        program_linked(folder.path(), name, &[F, types, "", ""], &["-C", &metadata])
    };
    let base = of("base", TYPES, "1");
    let compare = |other: &Path| CodeComparer::default().compare(&base, other, ["f"; 2]);
    assert_eq!(compare(&of("next", TYPES, "2")), CodeMatch::Same, "another version of the package");
    let other_check = TYPES.replace("is::<One>", "is::<Two>");
    let differs = CodeMatch::Differs(Some("program::is_one".to_owned()));
    assert_eq!(compare(&of("check", &other_check, "1")), differs, "compares with another type");
    let both = compare(&of("both", &other_check, "2"));
    assert!(matches!(both, CodeMatch::Differs(_)), "in another version, too: {both:?}");
}

#[test]
fn another_type_is_told_if_only_main_creates_its_values() {
    const F: &str = "u64::from(is_one(&**STORED.get().unwrap()))";
    const MAIN: &str = "let _ = (STORED.set(any(1)), any(2))";
    let folder = tempfile::tempdir().unwrap();
    let base = program_of(folder.path(), "base", &[F, TYPES, "", MAIN]);
    let check = program_of(folder.path(), "check", &[F, &TYPES.replace("is::<One>", "is::<Two>"), "", MAIN]);
    let differs = CodeMatch::Differs(Some("program::is_one".to_owned()));
    assert_eq!(CodeComparer::default().compare(&base, &check, ["f"; 2]), differs);
}

#[test]
fn lines_of_bounds_checks_that_share_their_call_may_differ() {
    const LOOKUPS: &str = "#[inline(never)] fn lookups(v: &[u64], i: usize, k: usize) -> u64 {
        v[i + k] ^ v[i * k] ^ if k > 3 { v[k & 15] } else { v[i & 31] + helper(v[k]) } }";
    const F: &str = "let [i, k] = std::hint::black_box([1, 0]); lookups(v, i, k)";
    let folder = tempfile::tempdir().unwrap();
    let base = program(folder.path(), "base", F, LOOKUPS, "");
    let commented = format!("// A comment\n{LOOKUPS}");
    let commented = program(folder.path(), "commented", F, &commented, "");
    assert_eq!(CodeComparer::default().compare(&base, &commented, ["f"; 2]), CodeMatch::Same);
}
