//! The functions of the standard library, known by their names.

/// Returns whether a function of the standard library panics, or ends the program because there is
/// no memory, judging by its name. Those that take a panic location take it as their last argument,
/// and pass it to the message only.
pub(super) fn is_panic(name: &str) -> bool {
    // Users may implement their own traits for types of the library.
    if name.contains(" as ") {
        return false;
    }
    let name = name.trim_start_matches('<');
    let Some((_, path)) = name.split_once("::").filter(|_| is_in_standard_library(name)) else {
        return false;
    };
    let function = path.rsplit("::").next().unwrap_or(path);
    if is_change_of_hook(name) {
        return false;
    }
    path.starts_with("panicking::")
        || path.starts_with("rt::begin_panic")
        || function.starts_with("panic_")
        || function.starts_with("slice_error_fail")
        || function.ends_with("_fail")
        || function.ends_with("_failed")
        || ["alloc::handle_alloc_error", "raw_vec::capacity_overflow", "raw_vec::handle_error"]
            .contains(&path)
}

/// Returns whether a function changes what later panics of the process call.
pub(super) fn is_change_of_hook(name: &str) -> bool {
    let function = name.strip_prefix("std::panicking::").unwrap_or_default();
    ["set_hook", "take_hook", "update_hook"].iter().any(|change| function.starts_with(change))
}

/// Returns whether the path of a function begins in the standard library. Code of the user may be
/// inlined into the function.
pub fn is_in_standard_library(path: &str) -> bool {
    path.split_once("::").is_some_and(|(library, _)| ["alloc", "core", "std"].contains(&library))
}

/// Returns whether a function was compiled with the standard library, from nothing but its own
/// types and traits. Then all of its constants are the library's. False if the name doesn't say:
/// only names of the newer scheme contain all crates.
pub(super) fn is_standard(mangled: &str) -> bool {
    // After a point, there is what the compiler has made of it.
    if !mangled.starts_with("_R") || mangled.contains('.') {
        return false;
    }
    let is_own = |name: &str| ["alloc", "core", "std"].contains(&name);
    // `<std[8c4a2a6b0e3d1f57]::io::error::ErrorKind as core[f1e0dd5fd05c53fb]::fmt::Debug>::fmt`.
    // Without a crate, it is a function of a primitive type.
    let name = rustc_demangle::demangle(mangled).to_string();
    let mut crates = name.match_indices('[').filter_map(|(at, _)| {
        let (hash, _) = name[at + 1..].split_once(']')?;
        let is_hash = hash.len() > 8 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        is_hash.then(|| name[..at].rsplit(|c| !is_part(c)).next()).flatten()
    });
    crates.all(is_own) && made_for(mangled).is_none_or(is_own)
}

/// Returns the crate that a mangled name ends with, for which a copy of the function was made, unless
/// that is a crate of the function's own path.
fn made_for(mangled: &str) -> Option<&str> {
    // `Cs3mSbOeLENLV_4user`
    let (_, last) = mangled.rsplit_once("Cs")?;
    let (_, name) = last.split_once('_')?;
    let own = name.trim_start_matches(|digit: char| digit.is_ascii_digit());
    (name[..name.len() - own.len()].parse() == Ok(own.len())).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::super::access::Access;
    use super::super::symbol::{Name, Symbol};
    use super::*;
    use std::sync::Arc;

    #[test]
    fn panics_are_known_by_name() {
        let panics = [
            "core::panicking::panic_bounds_check",
            "core::option::unwrap_failed",
            "core::slice::index::slice_index_fail",
            "alloc::vec::Vec<T,A>::remove::assert_failed",
            "<core::result::Result<T,E>>::unwrap_failed",
            "alloc::alloc::handle_alloc_error",
            "alloc::raw_vec::handle_error",
        ];
        assert_eq!(panics.map(is_panic), [true; 7]);
        let others = [
            "<core::option::Option<u64> as my::Retry>::retry_if_failed",
            "my::panicking::panic_fmt",
            "my::raw_vec::handle_error",
            "core::str::from_utf8",
            "panic_fmt",
            "std::fs::read",
            "",
            "std::panicking::set_hook",
        ];
        assert_eq!(others.map(is_panic), [false; 8]);
    }

    /// A target that sets a hook leaves it for the panics of others.
    #[test]
    fn a_hook_for_panics_changes_what_later_code_finds() {
        let named = |name: &str| Name::new(Arc::new(name.to_owned()), 0..name.len());
        let access = |name: &str| Symbol { address: 0, size: 1, name: named(name) }.access();
        assert!(access("_RNvNtCsjrHSEGnQ3l9_3std9panicking8set_hook").changes_surroundings);
        assert!(access("_ZN3std9panicking9take_hook17h772c795ed835e6e4E").changes_surroundings);
        assert_eq!(access("_RNvNtCsjrHSEGnQ3l9_3std9panicking20rust_panic_with_hook"), Access::default());
        assert_eq!(access("_RNvNtCs3mSbOeLENLV_4user9panicking8set_hook"), Access::default());
    }

    #[test]
    fn functions_of_the_standard_library_alone_are_known() {
        let standard = [
            "_RNvXsZ_NtNtCs3mSbOeLENLV_3std2io5errorNtB5_9ErrorKindNtNtCsgEmfK2I1SDS_4core3fmt5Debug3fmt",
            "_RNvNtCsjrHSEGnQ3l9_3std2io4read",
            // `<char>::escape_debug_ext`
            "_RNvMNtNtCsgEmfK2I1SDS_4core4char7methodsc16escape_debug_ext",
            // A copy for the library itself.
            "_RNvYNtNtNtNtCsjrHSEGnQ3l9_3std3sys5stdio4unix6StderrNtNtBa_2io5Write9write_fmtBa_",
            "_RNvNtCsjrHSEGnQ3l9_3std2io4readCsjrHSEGnQ3l9_3std",
        ];
        assert_eq!(standard.map(is_standard), [true; 5]);
        let others = [
            // `std::io::read::<user::Item>`
            "_RINvNtCsjrHSEGnQ3l9_3std2io4readNtCs3mSbOeLENLV_4user4ItemE",
            // A copy of `std::io::read` for the crate `user`, and one for some constants.
            "_RNvNtCsjrHSEGnQ3l9_3std2io4readCs3mSbOeLENLV_4user",
            "_RNvNtCsjrHSEGnQ3l9_3std2io4read.specialized.1",
            "_RNvNtCs3mSbOeLENLV_4user2io4read",
            "_ZN3std2io4read17h772c795ed835e6e4E",
            "memcpy",
        ];
        assert_eq!(others.map(is_standard), [false; 6]);
    }
}
