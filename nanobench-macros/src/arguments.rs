//! The arguments of the emitted calls, and the variables that hold them.

use crate::hygiene::local;
use crate::inputs::InputKind;
use crate::parameters::Passing;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

/// Returns an input as an argument of the call. Inputs shared by calls are hidden from the
/// optimiser, which could compute the result only once otherwise. If `mixed`, the input is an
/// element of a tuple of which some are passed by reference.
pub(crate) fn input_argument(kind: InputKind, passing: Passing, ty: &Type, mixed: bool) -> TokenStream {
    let place = Span::mixed_site().located_at(ty.span());
    let (input, state) = (input_variable(kind, ty.span()), state());
    let shared = match (kind, passing) {
        (InputKind::Setup | InputKind::ArgumentClone, Passing::Value) if mixed => {
            return quote_spanned! {place=>
                ::core::option::Option::expect(::core::option::Option::take(#input), "each call has an input")
            };
        }
        (InputKind::Setup | InputKind::ArgumentClone, Passing::Shared) => {
            return quote_spanned!(place=> &*#input);
        }
        (InputKind::Setup | InputKind::ArgumentClone, _) => return quote!(#input),
        (InputKind::SharedSetup, Passing::Exclusive) => quote_spanned!(place=> &mut *#state),
        (InputKind::SharedSetup, _) => quote_spanned!(place=> &*#state),
        (InputKind::Argument, Passing::Value) => copy(ty.span()).into_token_stream(),
        (InputKind::Argument, _) => argument(ty.span()).into_token_stream(),
        (InputKind::Fixture, _) => fixture(ty.span()).into_token_stream(),
    };
    quote_spanned!(place=> ::core::hint::black_box(#shared))
}

/// Returns the variable of an input made for a call.
pub(crate) fn input_variable(kind: InputKind, place: Span) -> Ident {
    local(if kind == InputKind::ArgumentClone { "nanobench_clone" } else { "nanobench_input" }, place)
}

pub(crate) fn bencher() -> Ident {
    local("nanobench_bencher", Span::mixed_site())
}

pub(crate) fn state() -> Ident {
    local("nanobench_state", Span::mixed_site())
}

pub(crate) fn fixture(place: Span) -> Ident {
    local("nanobench_fixture", place)
}

/// Returns the variable of a copy of the row's argument.
pub(crate) fn copy(place: Span) -> Ident {
    local("nanobench_copy", place)
}

/// Returns the variable of a reference to the row's argument.
pub(crate) fn argument(place: Span) -> Ident {
    local("nanobench_argument", place)
}
