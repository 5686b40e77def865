//! The code around `setup` and `teardown`.

use crate::callable::{self, Takes};
use crate::names::at;
use crate::run;
use crate::values::bare;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned as _;

/// What makes a value, to be called without arguments. With `args` it is handed the argument.
pub(crate) fn maker(setup: &Expr, has_args: bool, private: &TokenStream) -> TokenStream {
    if !has_args {
        return callable::closure(setup);
    }
    let argument = run::argument(Span::mixed_site());
    match (bare(setup), callable::takes(setup)) {
        (_, Takes::Nothing) => callable::closure(setup),
        (Expr::Path(path), _) => {
            let argument = run::argument(path.span());
            let value = at(path.span(), quote!(#private::value(#argument)));
            quote_spanned!(argument.span()=> move || #path(#value))
        }
        // Called here, so that a `&String` becomes the `&str` that it takes.
        (Expr::Closure(closure), Takes::TypedReference) => quote!(move || (#closure)(#argument)),
        (_, Takes::Reference | Takes::TypedReference) => quote!(#private::supplied_ref(#argument, #setup)),
        (_, Takes::Value) => quote!(#private::supplied(#argument, #setup)),
    }
}

/// The statement that is done with the value of `setup`.
pub(crate) fn teardown(teardown: &Expr, value: &Ident) -> TokenStream {
    match (bare(teardown), callable::takes(teardown)) {
        (Expr::Path(path), _) => {
            let place = Span::mixed_site().located_at(path.span());
            let value = Ident::new(&value.to_string(), place);
            quote_spanned!(place=> #path(#value);)
        }
        (_, Takes::Nothing) => quote!(::core::mem::drop(#value); (#teardown)();),
        // A closure learns from `for_each` what it takes.
        _ => at(
            teardown.span(),
            quote!(::core::iter::Iterator::for_each(::core::iter::once(#value), #teardown);),
        ),
    }
}

/// The same as a function of the value.
pub(crate) fn teardown_function(teardown: Option<&Expr>) -> TokenStream {
    let value = Ident::new("nanobench_value", Span::mixed_site());
    let Some(teardown) = teardown else { return quote!(::core::mem::drop) };
    match (bare(teardown), callable::takes(teardown)) {
        (Expr::Path(path), _) => {
            quote_spanned!(Span::mixed_site().located_at(path.span())=> |#value| #path(#value))
        }
        (_, Takes::Nothing) => quote!(|#value| { ::core::mem::drop(#value); (#teardown)() }),
        _ => quote!(#teardown),
    }
}
