//! Names in what is emitted.

use proc_macro2::{Ident, Span};

/// A variable that can't be mistaken for the user's names: `mixed_site` sets it apart. Where its type is not the one
/// that the function takes, the compiler says so at `place`, the type of the function's parameter.
pub(crate) fn local(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}
