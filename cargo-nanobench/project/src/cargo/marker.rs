//! The marker in every executable that holds benchmarks. An executable without it is never started.

use memchr::memmem;
use serde::{Deserialize, Serialize};

/// The start of a marker. The path of the test that hands over to the harness follows, or `main`.
const START: &[u8] = b"\x01nanobench:";
const END: u8 = 2;
/// The limit for a path. Symbol names are not longer, either.
const MAX_PATH_BYTES: usize = 4096;
/// The macro's prefix for the test of a benchmark.
const TEST_PREFIX: &str = "nanobench_";

/// The entry point at which an executable hands over to the harness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryPoint {
    /// The test of this path.
    Test(String),
    /// `main`, by `nanobench::main!()`.
    Main,
    /// A `main` that passes its benchmarks one after another, as with criterion.
    InOrder,
}

/// Returns whether there is a marker in the bytes of an object that is not linked yet.
pub fn has_marker(bytes: &[u8]) -> bool {
    memmem::find(bytes, START).is_some()
}

/// Finds the entry point in the bytes of an executable. Of several tests it returns the first by
/// name, so that an executable is always entered in the same way.
pub fn find_entry_point(bytes: &[u8]) -> Option<EntryPoint> {
    let paths = || memmem::find_iter(bytes, START).filter_map(|at| path(&bytes[at + START.len()..]));
    let first_test = paths().filter_map(test_path).min();
    let has = |name| paths().any(|path| path == name);
    match first_test {
        Some(path) => Some(EntryPoint::Test(path.to_owned())),
        None if has("in-order") => Some(EntryPoint::InOrder),
        None => has("main").then_some(EntryPoint::Main),
    }
}

/// Returns the text up to the marker's end.
fn path(rest: &[u8]) -> Option<&str> {
    let rest = &rest[..rest.len().min(MAX_PATH_BYTES)];
    let end = memchr::memchr(END, rest)?;
    std::str::from_utf8(&rest[..end]).ok()
}

/// Returns the path in libtest's form, without the crate.
fn test_path(path: &str) -> Option<&str> {
    let (_, test) = path.split_once("::")?;
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c == '_' || c.is_alphanumeric());
    let function = test.rsplit("::").next().unwrap_or(test);
    // The crate or a module may be a raw identifier: `r#type`.
    let mut names = path.split("::").map(|name| name.strip_prefix("r#").unwrap_or(name));
    (names.all(is_name) && function.starts_with(TEST_PREFIX)).then_some(test)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates bytes with markers. They are put together at run time, so that this test executable
    /// holds none.
    fn marked(paths: &[&str]) -> Vec<u8> {
        let mut bytes = b"\x7fELF noise \x02 \x01nano".to_vec();
        for path in paths {
            bytes.extend(START);
            bytes.extend(path.as_bytes());
            bytes.push(END);
            bytes.extend(b"more\0noise");
        }
        bytes
    }

    fn test(path: &str) -> Option<EntryPoint> {
        Some(EntryPoint::Test(path.to_owned()))
    }

    #[test]
    fn first_test_by_name() {
        assert_eq!(find_entry_point(&marked(&["first::nanobench_sort"])), test("nanobench_sort"));
        assert_eq!(
            find_entry_point(&marked(&["a::z::nanobench_b", "a::m::nanobench_c", "a::nanobench_x"])),
            test("m::nanobench_c")
        );
        assert_eq!(
            find_entry_point(&marked(&["a::straße::nanobench_größe"])),
            test("straße::nanobench_größe")
        );
        assert_eq!(find_entry_point(&marked(&["a::r#type::nanobench_f"])), test("r#type::nanobench_f"));
        assert_eq!(find_entry_point(&marked(&["r#async::nanobench_f"])), test("nanobench_f"));
    }

    #[test]
    fn main_if_there_is_no_test() {
        assert_eq!(find_entry_point(&marked(&["main"])), Some(EntryPoint::Main));
        assert_eq!(find_entry_point(&marked(&["main", "a::nanobench_f"])), test("nanobench_f"));
        assert_eq!(find_entry_point(&marked(&["main", "in-order"])), Some(EntryPoint::InOrder));
    }

    #[test]
    fn invalid_markers() {
        assert_eq!(find_entry_point(b""), None);
        assert_eq!(find_entry_point(b"nanobench"), None);
        assert_eq!(find_entry_point(&marked(&[])), None);
        for path in [
            "",
            "a",
            "nanobench_f",
            "a::f",
            "a::nanobench_f::g",
            "a::b c::nanobench_f",
            "::nanobench_f",
            "a::\u{1}",
        ] {
            assert_eq!(find_entry_point(&marked(&[path])), None, "{path:?}");
        }
        let mut invalid = START.to_vec();
        invalid.extend(b"a::nanobench_\xff\x02");
        assert_eq!(find_entry_point(&invalid), None);
    }

    #[test]
    fn truncated_and_nested_markers() {
        let mut bytes = START.to_vec();
        bytes.extend(b"a::nanobench_cut");
        assert_eq!(find_entry_point(&bytes), None, "no end");
        // The start alone, as in this crate's own code, directly before a complete marker.
        let mut bytes = START.to_vec();
        bytes.extend(marked(&["a::nanobench_f"]));
        assert_eq!(find_entry_point(&bytes), test("nanobench_f"));
        let mut far = START.to_vec();
        far.extend(format!("a::nanobench_{}", "f".repeat(MAX_PATH_BYTES)).bytes());
        far.push(END);
        assert_eq!(find_entry_point(&far), None);
    }
}
