//! Runs an `async fn` to completion.

use crate::errors::{Errors, error};
use crate::hygiene::local;
use crate::key_value::KeyValue;
use crate::values::bare;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, Signature};

/// The option `runtime`.
pub(crate) enum Runtime {
    /// A value with a method `block_on`, created once per process.
    Value(Expr),
    /// A closure that takes the future.
    Closure(Expr),
}

impl Runtime {
    pub(crate) fn new(value: Expr) -> syn::Result<Runtime> {
        let fix = match bare(&value) {
            Expr::Lit(_) => "write e.g. `runtime = tokio::runtime::Runtime::new().unwrap()`",
            Expr::Closure(closure) if closure.inputs.len() != 1 => {
                "to pass a value, remove the `||`: it is created once per process"
            }
            Expr::Closure(_) => return Ok(Runtime::Closure(value)),
            _ => return Ok(Runtime::Value(value)),
        };
        let problem = "`runtime` must be a value with a method `block_on`, or a closure that takes a future";
        Err(error(&value, problem, fix))
    }
}

/// The code around a call that turns it into a result.
#[derive(Clone, Copy)]
pub(crate) enum Driver<'a> {
    /// None: the function is not `async`.
    Call,
    /// The `block_on` of the harness.
    BlockOn,
    Runtime(&'a Runtime),
}

/// Checks that a function with a runtime is `async`.
pub(crate) fn check(runtime: Option<&KeyValue<Runtime>>, signature: &Signature, errors: &mut Errors) {
    if let (Some(runtime), None) = (runtime, &signature.asyncness) {
        let problem = "`runtime` runs an `async fn`, and this function is not `async`";
        errors.at(&runtime.key, problem, "remove `runtime`, or write `async fn`");
    }
}

impl<'a> Driver<'a> {
    pub(crate) fn new(signature: &Signature, runtime: Option<&'a KeyValue<Runtime>>) -> Driver<'a> {
        match (&signature.asyncness, runtime) {
            (None, _) => Driver::Call,
            (Some(_), None) => Driver::BlockOn,
            (Some(_), Some(runtime)) => Driver::Runtime(&runtime.value),
        }
    }

    /// Returns the statement before the calls.
    pub(crate) fn prelude(self, private: &TokenStream) -> Option<TokenStream> {
        let Driver::Runtime(Runtime::Value(value)) = self else { return None };
        let runtime = variable(value.span());
        Some(quote!(let #runtime = #private::fixture(|| #value);))
    }

    /// Returns the call, run to completion.
    pub(crate) fn drive(self, call: TokenStream, private: &TokenStream) -> TokenStream {
        match self {
            Driver::Call => call,
            Driver::BlockOn => quote!(#private::block_on(#call)),
            Driver::Runtime(Runtime::Closure(closure)) => quote!((#closure)(#call)),
            Driver::Runtime(Runtime::Value(value)) => {
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
