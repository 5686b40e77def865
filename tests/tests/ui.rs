//! The diagnostics of `#[nanobench]`.

/// `cargo test` compiles the accepted forms by itself: with `cfg(test)` as `forms.rs`, and without
/// as the example `ui/forms.rs`.
#[test]
fn misuse_is_an_error_on_the_exact_token() {
    trybuild::TestCases::new().compile_fail("ui/fail/*.rs");
}
