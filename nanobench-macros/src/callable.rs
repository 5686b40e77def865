//! The callable values of `setup`, `reset`, `teardown` and `fixture`: closures and paths of
//! functions.

use crate::errors::error;
use crate::tokens::copy;
use crate::values::bare;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Block, Expr, ExprBlock, ExprClosure, Pat, PatType, Stmt, Token, Type, parse_quote};

/// The arguments that a callable is called with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arguments {
    None,
    /// None, unless the user follows this advice.
    NoneUnless(&'static str),
    /// One value, named here. A closure may ignore it.
    One(&'static str),
    /// Two values, named here. A closure may ignore the second, or both.
    Two(&'static str),
}

/// Checks a `setup`. The block around its closure may hold state.
pub(crate) fn check_setup(value: &Expr, arguments: Arguments) -> syn::Result<()> {
    check("setup", closure_in(value).map_or(value, |(_, expr)| expr), arguments)
}

/// Returns a closure, as it is or at the end of a block, with or without parentheses.
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

fn closure_in_mut(value: &mut Expr) -> Option<&mut ExprClosure> {
    match value {
        Expr::Group(group) => closure_in_mut(&mut group.expr),
        Expr::Paren(paren) => closure_in_mut(&mut paren.expr),
        Expr::Closure(closure) => Some(closure),
        Expr::Block(ExprBlock { block, .. }) => match block.stmts.last_mut() {
            Some(Stmt::Expr(last, None)) => closure_in_mut(last),
            _ => None,
        },
        _ => None,
    }
}

/// Checks that the value is a closure or a path, and that the closure takes the arguments.
pub(crate) fn check(key: &str, value: &Expr, arguments: Arguments) -> syn::Result<()> {
    let closure = match bare(value) {
        Expr::Path(_) => return Ok(()),
        Expr::Closure(closure) => closure,
        _ => {
            let without = match arguments {
                Arguments::One(_) | Arguments::Two(_) => "",
                Arguments::None | Arguments::NoneUnless(_) => " without parameters",
            };
            let problem = format!("`{key}` must be a closure or the path of a function{without}");
            return Err(error(value, problem, format_args!("write `||` before this: `{key} = || ..`")));
        }
    };
    check_parameters(key, closure, arguments)?;
    if let Some(token) = &closure.asyncness {
        let problem = format!("`{key}` can't be `async`: nothing awaits its future");
        let fix = "remove `async`, and wait inside the closure with the `block_on` of your async runtime";
        return Err(error(token, problem, fix));
    }
    Ok(())
}

fn check_parameters(key: &str, closure: &ExprClosure, arguments: Arguments) -> syn::Result<()> {
    let parameters = &closure.inputs;
    let (problem, fix) = match arguments {
        Arguments::One(argument) if parameters.len() > 1 => (
            format!("`{key}` is called only with {argument}"),
            format!("write one parameter: `{key} = |a| ..`"),
        ),
        Arguments::Two(both) if parameters.len() > 2 => (
            format!("`{key}` is called only with {both}"),
            format!("write two parameters: `{key} = |a, b| ..`"),
        ),
        Arguments::One(_) | Arguments::Two(_) => return Ok(()),
        _ if parameters.is_empty() => return Ok(()),
        Arguments::None => (
            format!("`{key}` is called without arguments"),
            format!("remove the parameters: `{key} = || ..`"),
        ),
        Arguments::NoneUnless(advice) => (
            format!("`{key}` is called without arguments"),
            format!("remove the parameters: `{key} = || ..`, or {advice}"),
        ),
    };
    Err(error(parameters, problem, fix))
}

/// The parameter of a callable, if the macro can see it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallableParameter {
    None,
    /// A value of any type: `|n|`, `|n: u64|`, or that of a function named by its path.
    Value,
    /// A reference, by its pattern: `|&n|`.
    Reference,
    /// A reference, by its type: `|text: &str|`.
    TypedReference,
}

/// Returns the parameter that a callable takes, if any.
pub(crate) fn parameter(value: &Expr) -> CallableParameter {
    let Some((closure, _)) = closure_in(value) else { return CallableParameter::Value };
    match closure.inputs.first() {
        None => CallableParameter::None,
        Some(Pat::Type(input)) if matches!(*input.ty, Type::Reference(_)) => {
            CallableParameter::TypedReference
        }
        Some(Pat::Reference(_)) => CallableParameter::Reference,
        Some(_) => CallableParameter::Value,
    }
}

/// A value beside the one that a closure is called with.
pub(crate) enum Beside {
    /// A reference.
    Reference(Ident),
    /// A reference to the argument. A parameter that isn't written as a reference gets a clone.
    Argument(Ident),
}

/// Returns the callable with the parameters from the one at `index` on replaced by variables with
/// these values. So the compiler coerces them to the types of the parameters.
pub(crate) fn bind_beside(value: &Expr, index: usize, values: &[Beside]) -> Expr {
    let mut value = copy(value);
    let Some(closure) = closure_in_mut(&mut value) else { return value };
    if closure.inputs.len() <= index {
        return value;
    }
    let mut parameters = std::mem::take(&mut closure.inputs).into_iter();
    closure.inputs.extend(parameters.by_ref().take(index));
    let bindings = parameters.zip(values).map(|(pattern, value)| {
        let place = Span::mixed_site().located_at(pattern.span());
        let is_reference = match &pattern {
            Pat::Type(input) => matches!(*input.ty, Type::Reference(_)),
            pattern => matches!(pattern, Pat::Reference(_)),
        };
        let value = match value {
            Beside::Argument(argument) if !is_reference => {
                quote_spanned!(place=> ::core::clone::Clone::clone(#argument))
            }
            Beside::Reference(value) | Beside::Argument(value) => value.to_token_stream(),
        };
        quote_spanned!(place=> let #pattern = #value;)
    });
    let (bindings, body) = (bindings.collect::<TokenStream>(), &*closure.body);
    *closure.body = match body {
        // A block around this block would cause a warning.
        Expr::Block(ExprBlock { block: Block { stmts, .. }, label: None, attrs, .. }) if attrs.is_empty() => {
            parse_quote!({ #bindings #(#stmts)* })
        }
        body => parse_quote!({ #bindings #body }),
    };
    closure.capture = Some(Token![move](closure.inputs_begin.span));
    value
}

/// Returns the type of a closure's parameter if it is a `&mut`.
pub(crate) fn exclusive_parameter(value: &Expr) -> Option<&Type> {
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

/// Returns a callable without parameters as a closure. The call of a function named by its path is
/// inside the closure, so that the compiler reports a function with parameters at this call.
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
    fn closures_show_their_parameter() {
        let parameter = |value: Expr| super::parameter(&value);
        assert!(parameter(parse_quote!(|| 5)) == CallableParameter::None);
        assert!(parameter(parse_quote!(|n| n + 5)) == CallableParameter::Value);
        assert!(parameter(parse_quote!(move |n: usize| n)) == CallableParameter::Value);
        assert!(parameter(parse_quote!(|(a, _)| a)) == CallableParameter::Value);
        assert!(parameter(parse_quote!(|&n| n)) == CallableParameter::Reference);
        assert!(parameter(parse_quote!((|v: &[u64]| v.len()))) == CallableParameter::TypedReference);
        assert!(parameter(parse_quote!(module::function)) == CallableParameter::Value);
        assert!(
            parameter(parse_quote!({
                let mut rng = 5;
                move || rng
            })) == CallableParameter::None
        );
        assert!(
            parameter(parse_quote!({
                let mut rng = 5;
                move |n| rng + n
            })) == CallableParameter::Value
        );
        assert!(
            parameter(parse_quote!(
                ({
                    let mut rng = 5;
                    ({ (move || rng) })
                })
            )) == CallableParameter::None
        );
    }
}
