//! What `setup` and `reset` name: something to call without arguments.

use crate::errors::error;
use crate::values::bare;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprBlock, Stmt};

/// What makes an input. In a block around the closure there may be what it keeps from one input to the next.
pub(crate) fn check_setup(value: &Expr) -> syn::Result<()> {
    if let Expr::Block(ExprBlock { block, .. }) = bare(value) {
        if let Some(Stmt::Expr(closure @ Expr::Closure(_), None)) = block.stmts.last() {
            return check("setup", closure);
        }
    }
    check("setup", value)
}

/// A closure or a function without arguments.
pub(crate) fn check(key: &str, value: &Expr) -> syn::Result<()> {
    let closure = match bare(value) {
        Expr::Path(_) => return Ok(()),
        Expr::Closure(closure) => closure,
        _ => {
            let wrong = format_args!("`{key}` is a closure, or the path of a function, without arguments");
            return Err(error(value, wrong, format_args!("put `||` before this: `{key} = || ..`")));
        }
    };
    if !closure.inputs.is_empty() {
        let wrong = format_args!("`{key}` is called without arguments");
        return Err(error(&closure.inputs, wrong, format_args!("leave them out: `{key} = || ..`")));
    }
    if let Some(token) = &closure.asyncness {
        let wrong = format_args!("nothing waits for what `{key}` does if it is `async`");
        let instead = "leave this out, and wait inside the closure, with `block_on` of your async runtime";
        return Err(error(token, wrong, instead));
    }
    Ok(())
}

/// What is called, as a closure. The path of a function is called in one, so that what the compiler says of a function
/// that can't be called like this is about the call.
pub(crate) fn closure(value: &Expr) -> TokenStream {
    match bare(value) {
        Expr::Path(path) => quote_spanned!(Span::mixed_site().located_at(path.span())=> || #path()),
        _ => value.to_token_stream(),
    }
}
