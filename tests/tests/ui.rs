//! The diagnostics of `#[nanobench]`.

/// Other targets compile the accepted forms: `forms.rs` with `cfg(test)`, and the example
/// `ui/forms.rs` without.
#[test]
fn misuse_is_an_error_on_the_exact_token() {
    trybuild::TestCases::new().compile_fail("ui/fail/*.rs");
}
