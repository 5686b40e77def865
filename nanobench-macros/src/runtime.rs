//! What drives an `async fn` to its end.

use crate::errors::{Errors, error};
use crate::names::local;
use crate::options::Given;
use crate::values::bare;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, Signature};

/// The option `runtime`.
pub(crate) enum Runtime {
    /// A value with a method `block_on`, made once per process.
    Value(Expr),
    /// A closure that takes the future.
    Closure(Expr),
}

impl Runtime {
    pub(crate) fn new(value: Expr) -> syn::Result<Runtime> {
        if let Expr::Lit(_) = bare(&value) {
            return Err(error(
                &value,
                "`runtime` is a value with a method `block_on`, or a closure that takes a future",
                "write what makes one: `runtime = tokio::runtime::Runtime::new().unwrap()`",
            ));
        }
        let Expr::Closure(closure) = bare(&value) else { return Ok(Runtime::Value(value)) };
        if closure.inputs.len() != 1 {
            return Err(error(
                &value,
                "`runtime` is a value with a method `block_on`, or a closure that takes a future",
                "leave out the `||` for a value: it is made once per process",
            ));
        }
        Ok(Runtime::Closure(value))
    }
}

/// How a call becomes a result.
#[derive(Clone, Copy)]
pub(crate) enum Driver<'a> {
    /// By itself.
    Call,
    /// By the harness's own `block_on`.
    BlockOn,
    By(&'a Runtime),
}

/// What is not `async` needs no runtime.
pub(crate) fn check(runtime: Option<&Given<Runtime>>, signature: &Signature, errors: &mut Errors) {
    if let (Some(runtime), None) = (runtime, &signature.asyncness) {
        let wrong = "`runtime` is what an `async fn` runs on, and this function is none";
        errors.at(&runtime.key, wrong, "leave it out, or write `async fn`");
    }
}

impl<'a> Driver<'a> {
    pub(crate) fn new(signature: &Signature, runtime: Option<&'a Given<Runtime>>) -> Driver<'a> {
        match (&signature.asyncness, runtime) {
            (None, _) => Driver::Call,
            (Some(_), None) => Driver::BlockOn,
            (Some(_), Some(runtime)) => Driver::By(&runtime.value),
        }
    }

    /// What goes before the calls.
    pub(crate) fn prelude(self, private: &TokenStream) -> Option<TokenStream> {
        let Driver::By(Runtime::Value(value)) = self else { return None };
        let runtime = variable(value.span());
        Some(quote!(let #runtime = #private::fixture(|| #value);))
    }

    /// The call, driven to its end.
    pub(crate) fn drive(self, call: TokenStream, private: &TokenStream) -> TokenStream {
        match self {
            Driver::Call => call,
            Driver::BlockOn => quote!(#private::block_on(#call)),
            Driver::By(Runtime::Closure(closure)) => quote!((#closure)(#call)),
            Driver::By(Runtime::Value(value)) => {
                let place = Span::mixed_site().located_at(value.span());
                let (runtime, call) = (variable(value.span()), call.into_token_stream());
                quote_spanned!(place=> #runtime.block_on(#call))
            }
        }
    }
}

fn variable(place: Span) -> Ident {
    local("nanobench_runtime", place)
}
