//! The emitted code for `setup` and `teardown`.

use crate::arguments;
use crate::callable::{self, Beside, CallableParameter};
use crate::hygiene::{at, local};
use crate::lifetimes;
use crate::tokens::copy;
use crate::values::bare;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned as _;

/// Returns a closure without parameters that makes a value. With `args`, it passes the argument on.
pub(crate) fn setup_closure(setup: &Expr, has_args: bool, private: &TokenStream) -> TokenStream {
    if !has_args {
        return callable::closure(setup);
    }
    let argument = arguments::argument(Span::mixed_site());
    match (bare(setup), callable::parameter(setup)) {
        (_, CallableParameter::None) => callable::closure(setup),
        (Expr::Path(path), _) => {
            let argument = arguments::argument(path.span());
            let value = at(path.span(), quote!(#private::value(#argument)));
            quote_spanned!(argument.span()=> move || #path(#value))
        }
        // This direct call coerces a `&String` to a `&str` parameter.
        (Expr::Closure(closure), CallableParameter::TypedReference) => {
            let closure = lifetimes::of_static(copy(closure));
            quote!(move || (#closure)(#argument))
        }
        (_, CallableParameter::Reference | CallableParameter::TypedReference) => {
            quote!(#private::supplied_ref(#argument, #setup))
        }
        (_, CallableParameter::Value) => quote!(#private::supplied(#argument, #setup)),
    }
}

/// Returns a `teardown` that takes only the value of `setup`, with a variable for the argument.
fn beside_argument(teardown: &Expr) -> Expr {
    callable::bind_beside(teardown, 1, &[Beside::Argument(arguments::argument(Span::mixed_site()))])
}

/// Returns the statement that passes the value of `setup` to `teardown`.
pub(crate) fn teardown_statement(teardown: &Expr, value: &Ident) -> TokenStream {
    let teardown = &beside_argument(teardown);
    match (bare(teardown), callable::parameter(teardown)) {
        (Expr::Path(path), _) => {
            let place = Span::mixed_site().located_at(path.span());
            let value = Ident::new(&value.to_string(), place);
            quote_spanned!(place=> #path(#value);)
        }
        (_, CallableParameter::None) => quote!(::core::mem::drop(#value); (#teardown)();),
        // `for_each` lets the compiler infer the type of the closure's parameter.
        _ => at(
            teardown.span(),
            quote!(::core::iter::Iterator::for_each(::core::iter::once(#value), #teardown);),
        ),
    }
}

/// Returns `teardown` as a function of the value of `setup`.
pub(crate) fn teardown_closure(teardown: Option<&Expr>) -> TokenStream {
    let value = local("nanobench_value", Span::mixed_site());
    let Some(teardown) = teardown else { return quote!(::core::mem::drop) };
    let teardown = &beside_argument(teardown);
    match (bare(teardown), callable::parameter(teardown)) {
        (Expr::Path(path), _) => {
            quote_spanned!(Span::mixed_site().located_at(path.span())=> |#value| #path(#value))
        }
        (_, CallableParameter::None) => quote!(|#value| { ::core::mem::drop(#value); (#teardown)() }),
        _ => quote!(#teardown),
    }
}
