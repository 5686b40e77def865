//! What `setup`, `reset` and the like name: something to call.

use crate::errors::error;
use crate::values::bare;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprBlock, ExprClosure, Pat, PatType, Stmt, Type};

/// What a callable may be called with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Called {
    /// Nothing.
    Bare,
    /// Nothing, as what it could be called with is missing; it says what to add for that.
    BareBut(&'static str),
    /// One value, as named here; a closure may leave it out.
    With(&'static str),
}

/// What makes an input. In a block around the closure there may be what it keeps from one input to the next.
pub(crate) fn check_setup(value: &Expr, called: Called) -> syn::Result<()> {
    check("setup", closure_in(value).map_or(value, |(_, expr)| expr), called)
}

/// A closure, as it is or at the end of a block, with or without parentheses.
fn closure_in(value: &Expr) -> Option<(&ExprClosure, &Expr)> {
    match bare(value) {
        value @ Expr::Closure(closure) => Some((closure, value)),
        Expr::Block(ExprBlock { block, .. }) => match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => closure_in(last),
            _ => None,
        },
        _ => None,
    }
}

/// A closure or the path of a function.
pub(crate) fn check(key: &str, value: &Expr, called: Called) -> syn::Result<()> {
    let closure = match bare(value) {
        Expr::Path(_) => return Ok(()),
        Expr::Closure(closure) => closure,
        _ => {
            let with = match called {
                Called::With(_) => "",
                Called::Bare | Called::BareBut(_) => ", without arguments",
            };
            let wrong = format!("`{key}` is a closure, or the path of a function{with}");
            return Err(error(value, wrong, format_args!("put `||` before this: `{key} = || ..`")));
        }
    };
    check_inputs(key, closure, called)?;
    if let Some(token) = &closure.asyncness {
        let wrong = format!("nothing waits for what `{key}` does if it is `async`");
        let instead = "leave this out, and wait inside the closure, with `block_on` of your async runtime";
        return Err(error(token, wrong, instead));
    }
    Ok(())
}

fn check_inputs(key: &str, closure: &ExprClosure, called: Called) -> syn::Result<()> {
    let inputs = &closure.inputs;
    let (wrong, instead) = match called {
        Called::With(what) if inputs.len() > 1 => (
            format!("`{key}` is called with {what}, and nothing else"),
            format!("leave one: `{key} = |a| ..`"),
        ),
        Called::With(_) => return Ok(()),
        _ if inputs.is_empty() => return Ok(()),
        Called::Bare => {
            (format!("`{key}` is called without arguments"), format!("leave them out: `{key} = || ..`"))
        }
        Called::BareBut(add) => (
            format!("`{key}` is called without arguments"),
            format!("leave them out: `{key} = || ..`, or {add}"),
        ),
    };
    Err(error(inputs, wrong, instead))
}

/// What a callable takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    /// A value of any type: `|n|`, `|n: u64|`. The path of a function takes one, too.
    Value,
    /// What a pattern says to be a reference: `|&n|`.
    Reference,
    /// A reference of a type: `|text: &str|`.
    TypedReference,
}

/// What a callable takes, as far as it may take something.
pub(crate) fn takes(value: &Expr) -> Takes {
    let Some((closure, _)) = closure_in(value) else { return Takes::Value };
    match closure.inputs.first() {
        None => Takes::Nothing,
        Some(Pat::Type(input)) if matches!(*input.ty, Type::Reference(_)) => Takes::TypedReference,
        Some(Pat::Reference(_)) => Takes::Reference,
        Some(_) => Takes::Value,
    }
}

/// How many values a closure makes as one, where that can be seen: `|| (1, 2)`.
pub(crate) fn tuple_of(value: &Expr) -> Option<usize> {
    let (closure, _) = closure_in(value)?;
    let made = match bare(&closure.body) {
        Expr::Block(ExprBlock { block, .. }) => match block.stmts.last()? {
            Stmt::Expr(made, None) => bare(made),
            _ => return None,
        },
        made => made,
    };
    match made {
        Expr::Tuple(tuple) => Some(tuple.elems.len()),
        _ => None,
    }
}

/// The type of what a closure takes by `&mut`.
pub(crate) fn takes_exclusively(value: &Expr) -> Option<&Type> {
    let (closure, _) = closure_in(value)?;
    match closure.inputs.first()? {
        Pat::Type(PatType { ty, .. }) => match &**ty {
            Type::Reference(reference) if reference.mutability.is_some() && reference.lifetime.is_none() => {
                Some(ty)
            }
            _ => None,
        },
        _ => None,
    }
}

/// What is called without arguments, as a closure. The path of a function is called in one, so that what the compiler
/// says of a function that can't be called like this is about the call.
pub(crate) fn closure(value: &Expr) -> TokenStream {
    match bare(value) {
        Expr::Path(path) => quote_spanned!(Span::mixed_site().located_at(path.span())=> || #path()),
        _ => value.to_token_stream(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn what_a_closure_takes_is_seen_in_its_parameter() {
        let takes = |value: Expr| super::takes(&value);
        assert!(takes(parse_quote!(|| 5)) == Takes::Nothing);
        assert!(takes(parse_quote!(|n| n + 5)) == Takes::Value);
        assert!(takes(parse_quote!(move |n: usize| n)) == Takes::Value);
        assert!(takes(parse_quote!(|(a, _)| a)) == Takes::Value);
        assert!(takes(parse_quote!(|&n| n)) == Takes::Reference);
        assert!(takes(parse_quote!((|v: &[u64]| v.len()))) == Takes::TypedReference);
        assert!(takes(parse_quote!(module::function)) == Takes::Value);
        assert!(
            takes(parse_quote!({
                let mut rng = 5;
                move || rng
            })) == Takes::Nothing
        );
        assert!(
            takes(parse_quote!({
                let mut rng = 5;
                move |n| rng + n
            })) == Takes::Value
        );
        assert!(
            takes(parse_quote!(
                ({
                    let mut rng = 5;
                    ({ (move || rng) })
                })
            )) == Takes::Nothing
        );
    }
}
