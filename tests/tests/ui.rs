//! The diagnostics of `#[nanobench]`, and of the attributes of divan.

/// Other targets compile the accepted forms: `forms.rs` with `cfg(test)`, and the example
/// `ui/forms.rs` without.
#[test]
fn misuse_is_an_error_on_the_exact_token() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("ui/fail/*.rs");
    tests.compile_fail("ui/divan/*.rs");
}
