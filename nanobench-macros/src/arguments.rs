//! The arguments of the emitted calls, and the variables that hold them.

use crate::hygiene::{at, local};
use crate::inputs::InputKind;
use crate::lifetimes;
use crate::parameters::{self, Passing, fits_register, static_lifetime};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

/// Returns an input as an argument of the call. Inputs shared by calls are hidden from the
/// optimiser, which could compute the result only once otherwise. If `mixed`, the input is an
/// element of a tuple of which some are passed by reference.
///
/// A reference is hidden in its registers. `black_box` passes its operand through memory, so it
/// gets the address of a value that takes several registers: a copy of the value right after its
/// parts were stored would stall the processor, and a function that says `black_box(input)` copies
/// it.
pub(crate) fn input_argument(
    kind: InputKind,
    passing: Passing,
    ty: &Type,
    mixed: bool,
    private: &TokenStream,
) -> TokenStream {
    let place = Span::mixed_site().located_at(ty.span());
    let input = input_variable(kind, ty.span());
    match (kind.is_made_per_call(), passing) {
        (true, Passing::Value) if mixed => quote_spanned! {place=>
            ::core::option::Option::expect(::core::option::Option::take(#input), "each call has an input")
        },
        (true, Passing::Shared) => reborrowed(&input, ty, private),
        (true, _) => quote!(#input),
        (false, Passing::Exclusive) => {
            quote_spanned!(place=> &mut **::core::hint::black_box(&mut #input))
        }
        (false, Passing::Value) if fits_register(ty) => {
            quote_spanned!(place=> ::core::hint::black_box(#input))
        }
        (false, Passing::Value) => quote_spanned!(place=> *::core::hint::black_box(&#input)),
        (false, Passing::Shared) => quote_spanned!(place=> #private::hidden(#input)),
    }
}

/// Returns the definition of the variable of an input that calls share, as the function takes it:
/// for a parameter `&[u64]`, a reference to a `Vec<u64>` is converted once, before the calls.
pub(crate) fn shared_input(
    kind: InputKind,
    passing: Passing,
    ty: &Type,
    private: &TokenStream,
) -> Option<TokenStream> {
    if kind.is_made_per_call() {
        return None;
    }
    let place = Span::mixed_site().located_at(ty.span());
    let (input, state, argument) = (input_variable(kind, ty.span()), state(), argument(ty.span()));
    let (source, ty) = (ty, type_annotation(ty));
    Some(match (kind, passing) {
        (InputKind::Argument, Passing::Value) => {
            let ty = lifetimes::inferred(source);
            quote_spanned!(place=> let #input = #private::value::<#ty, _>(#argument);)
        }
        (InputKind::Argument, _) => quote_spanned!(place=> let #input #ty = #argument;),
        (InputKind::Fixture, _) => {
            let fixture = fixture(ty.span());
            quote_spanned!(place=> let #input #ty = #fixture;)
        }
        (_, Passing::Exclusive) => quote_spanned!(place=> let mut #input #ty = &mut *#state;),
        _ => {
            let state = reborrowed(&state, source, private);
            quote_spanned!(place=> let #input #ty = #state;)
        }
    })
}

/// Returns a shared reference to a value of `setup`, of which `variable` is a `&mut`.
fn reborrowed(variable: &Ident, ty: &Type, private: &TokenStream) -> TokenStream {
    let place = Span::mixed_site().located_at(ty.span());
    let reference = quote_spanned!(place=> &*#variable);
    match static_lifetime(ty) {
        // The compiler's own error would name the variables of the expansion.
        Some(_) => at(place, quote!(#private::static_reference(#reference))),
        None => reference,
    }
}

/// Returns the annotation of a variable. An `impl Trait` has none.
fn type_annotation(ty: &Type) -> Option<TokenStream> {
    let ty = lifetimes::inferred(ty);
    (!parameters::has_impl(ty.clone())).then(|| quote!(: #ty))
}

/// Returns the variable of an input.
pub(crate) fn input_variable(kind: InputKind, place: Span) -> Ident {
    let name = match kind {
        InputKind::Setup => "nanobench_input",
        InputKind::ArgumentClone => "nanobench_clone",
        InputKind::SharedSetup => "nanobench_shared_input",
        InputKind::Argument => "nanobench_shared_argument",
        InputKind::Fixture => "nanobench_shared_fixture",
    };
    local(name, place)
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

/// Returns the variable of a reference to the row's argument.
pub(crate) fn argument(place: Span) -> Ident {
    local("nanobench_argument", place)
}
