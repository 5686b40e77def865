//! The marker that stands in every executable that can serve benchmarks. What has none is never started.

use memchr::memmem;

/// Followed by the path of the test that hands over, or by `main`.
const START: &[u8] = b"\x01nanobench:";
const END: u8 = 2;
/// No path is longer: symbol names aren't, either.
const LONGEST: usize = 4096;
/// The macro's prefix for the test of a benchmark.
const TEST_PREFIX: &str = "nanobench_";

/// Where an executable hands over to the harness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EntryPoint {
    /// In the test of this path.
    Test(String),
    /// In `main`, by `nanobench::main!()`.
    Main,
}

/// Where the executable of these bytes hands over to the harness; `None` where it can't. Of several tests it is
/// the first by name, so that the same executable is always entered the same way.
pub(super) fn entry(bytes: &[u8]) -> Option<EntryPoint> {
    let paths = || memmem::find_iter(bytes, START).filter_map(|at| path(&bytes[at + START.len()..]));
    let first_test = paths().filter_map(test_path).min();
    match first_test {
        Some(path) => Some(EntryPoint::Test(path.to_owned())),
        None => paths().any(|path| path == "main").then_some(EntryPoint::Main),
    }
}

/// The text up to the marker's end.
fn path(rest: &[u8]) -> Option<&str> {
    let rest = &rest[..rest.len().min(LONGEST)];
    let end = memchr::memchr(END, rest)?;
    std::str::from_utf8(&rest[..end]).ok()
}

/// The path as libtest knows it: without the crate.
fn test_path(path: &str) -> Option<&str> {
    let (crate_name, test) = path.split_once("::")?;
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c == '_' || c.is_alphanumeric());
    let function = test.rsplit("::").next().unwrap_or(test);
    // A module may be a raw identifier: `r#type`.
    let mut names = test.split("::").map(|name| name.strip_prefix("r#").unwrap_or(name));
    (is_name(crate_name) && names.all(is_name) && function.starts_with(TEST_PREFIX)).then_some(test)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put together at run time: this crate's own test executable holds no marker that way.
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
        assert_eq!(entry(&marked(&["first::nanobench_sort"])), test("nanobench_sort"));
        assert_eq!(
            entry(&marked(&["a::z::nanobench_b", "a::m::nanobench_c", "a::nanobench_x"])),
            test("m::nanobench_c")
        );
        assert_eq!(entry(&marked(&["a::straße::nanobench_größe"])), test("straße::nanobench_größe"));
        assert_eq!(entry(&marked(&["a::r#type::nanobench_f"])), test("r#type::nanobench_f"));
    }

    #[test]
    fn main_where_there_is_no_test() {
        assert_eq!(entry(&marked(&["main"])), Some(EntryPoint::Main));
        assert_eq!(entry(&marked(&["main", "a::nanobench_f"])), test("nanobench_f"));
    }

    #[test]
    fn what_is_no_marker() {
        assert_eq!(entry(b""), None);
        assert_eq!(entry(b"nanobench"), None);
        assert_eq!(entry(&marked(&[])), None);
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
            assert_eq!(entry(&marked(&[path])), None, "{path:?}");
        }
        let mut invalid = START.to_vec();
        invalid.extend(b"a::nanobench_\xff\x02");
        assert_eq!(entry(&invalid), None);
    }

    #[test]
    fn cut_and_nested_markers() {
        let mut bytes = START.to_vec();
        bytes.extend(b"a::nanobench_cut");
        assert_eq!(entry(&bytes), None, "without an end");
        // The prefix alone, as in this crate's own code, directly before a whole marker.
        let mut bytes = START.to_vec();
        bytes.extend(marked(&["a::nanobench_f"]));
        assert_eq!(entry(&bytes), test("nanobench_f"));
        let mut far = START.to_vec();
        far.extend(format!("a::nanobench_{}", "f".repeat(LONGEST)).bytes());
        far.push(END);
        assert_eq!(entry(&far), None);
    }
}
