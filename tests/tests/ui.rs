//! What `#[nanobench]` says of each misuse, and that it keeps quiet where nothing is wrong.

#[test]
fn misuse_is_an_error_on_the_exact_token() {
    trybuild::TestCases::new().compile_fail("ui/fail/*.rs");
}

/// Without `cfg(test)`: `forms.rs` has the same files with it.
#[test]
fn forms_compile_where_nothing_is_tested() {
    trybuild::TestCases::new().pass("ui/pass/*.rs");
}
