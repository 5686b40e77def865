//! The curve of `complexity`, if it is a custom one.

use crate::errors::error;
use crate::tokens::copy;
use crate::values::{self, bare};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Expr, ExprLit, Lit, LitStr};

/// Returns the name of a custom curve, if it has one, and its function.
fn named(value: &Expr) -> (Option<&LitStr>, &Expr) {
    if let Expr::Tuple(tuple) = bare(value) {
        if let (2, Some(name)) = (tuple.elems.len(), tuple.elems.first().and_then(values::string)) {
            return (Some(name), &tuple.elems[1]);
        }
    }
    (None, value)
}

/// Checks the value of `complexity`.
pub(crate) fn check(value: &Expr) -> syn::Result<()> {
    let (name, value) = named(value);
    if let Some(name) = name {
        let name = Expr::Lit(ExprLit { attrs: vec![], lit: Lit::Str(copy(name)) });
        let fix = "write e.g. `complexity = (\"O(sqrt n)\", |n| n.sqrt())`";
        values::label("the name of a curve", fix, fix, &name)?;
    }
    let fix = match bare(value) {
        Expr::Path(_) => return Ok(()),
        Expr::Closure(closure) if closure.inputs.len() == 1 => return Ok(()),
        Expr::Closure(_) => "write e.g. `complexity = |n| n.sqrt()`",
        _ => "write `complexity` alone to fit the usual curves, or add one, e.g. `complexity = |n| n.sqrt()`",
    };
    Err(error(value, "`complexity` must be a function of one `f64`", fix))
}

/// Returns a custom curve: its text and its function.
pub(crate) fn custom(value: Option<&Expr>) -> TokenStream {
    let Some(value) = value else { return quote!(::core::option::Option::None) };
    let (name, value) = named(value);
    let text = match (name, bare(value)) {
        (Some(name), _) => name.to_token_stream(),
        (None, Expr::Closure(closure)) => {
            let body = &closure.body;
            quote!(::core::stringify!(#body))
        }
        (None, value) => quote!(::core::stringify!(#value)),
    };
    // In a constant, a closure that captures is reported as a mismatch with a function pointer.
    quote!(::core::option::Option::Some((#text, #value)))
}
