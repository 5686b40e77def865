//! Names in what is emitted.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// A variable that can't be mistaken for the user's names: `mixed_site` sets it apart. Where its type is not the one
/// that the function takes, the compiler says so at `place`, the type of the function's parameter.
pub(crate) fn local(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}

/// The tokens, which mean what they do, as if they were written at another place: what the compiler says of them is shown there.
/// What stands between brackets stays where it is.
pub(crate) fn at(place: Span, tokens: TokenStream) -> TokenStream {
    let there = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(there).collect()
}
