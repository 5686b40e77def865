//! The names and spans of emitted tokens.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// Returns an identifier that can't collide with the user's names. The compiler reports a type
/// mismatch of the variable at `place`, usually the type of a parameter.
pub(crate) fn local(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}

/// Moves tokens to `place` without changing their name resolution, so that the compiler reports
/// their errors there. Tokens inside brackets stay where they are.
pub(crate) fn at(place: Span, tokens: TokenStream) -> TokenStream {
    let moved = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(moved).collect()
}
