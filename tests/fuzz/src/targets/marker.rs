//! The search for the marker in an executable.

use project::cargo::{EntryPoint, find_entry_point};

/// The test of an entry point is one that the macro may have written, and no flag of the test
/// harness.
pub fn marker(data: &[u8]) {
    let Some(EntryPoint::Test(path)) = find_entry_point(data) else { return };
    assert!(path.rsplit("::").next().is_some_and(|name| name.starts_with("nanobench_")), "{path:?}");
    assert!(!path.starts_with('-') && !path.contains(char::is_whitespace), "{path:?}");
    let marker = ["\u{1}nanobench:fuzz::", &path, "\u{2}"].concat();
    assert_eq!(find_entry_point(marker.as_bytes()), Some(EntryPoint::Test(path)));
}
