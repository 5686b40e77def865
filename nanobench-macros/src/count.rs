//! How many operations a benchmark does in a call: the parameter and the option `count` put together.

use crate::errors::{Errors, error};
use crate::options::{CountOption, bare};
use crate::parameters::{CountType, Parameter};
use proc_macro2::{Literal, TokenStream};
use quote::ToTokens as _;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitInt, Signature, Type, UnOp};

/// What the harness passes as the count.
pub(crate) enum Count {
    /// Nothing: the function has no such parameter.
    None,
    /// What it finds to be good.
    Auto,
    /// This number.
    Literal(Literal),
    /// What the compiler makes of this expression, of this type. It has still to be checked.
    Expression(TokenStream, TokenStream),
}

/// Puts the option and the parameter together.
pub(crate) fn resolve(
    option: Option<CountOption>,
    parameters: &[Parameter],
    signature: &Signature,
    errors: &mut Errors,
) -> Count {
    let parameter = parameters.iter().find_map(|parameter| match parameter {
        Parameter::Count(count, ty) => Some((*count, ty)),
        Parameter::TimeControl(_) => None,
    });
    let count = match (option, parameter) {
        (None, None) => Ok(Count::None),
        (None, Some(_)) => Ok(Count::Auto),
        (Some(option), Some((count, ty))) => fixed(option.value, count, ty),
        // A parameter that is wrong may have been meant to take it.
        (Some(_), None) if parameters.len() < signature.inputs.len() => return Count::None,
        (Some(option), None) => Err(error(
            option.key,
            "there is no parameter that takes the count",
            "add one, `count: u64`, and loop over it in the function",
        )),
    };
    count.unwrap_or_else(|error| {
        errors.push(error);
        Count::None
    })
}

fn fixed(value: Expr, count: CountType, ty: &Type) -> syn::Result<Count> {
    const WRONG: &str = "`count` is how many operations the function does in a call";
    let wrong = match bare(&value) {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => {
            let number = number(literal, count)?;
            if number > 0 && fits_everywhere(number, count) {
                let mut number = Literal::u64_unsuffixed(number);
                number.set_span(literal.span());
                return Ok(Count::Literal(number));
            }
            number == 0
        }
        Expr::Lit(_) => true,
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => matches!(bare(expr), Expr::Lit(_)),
        _ => false,
    };
    if wrong {
        return Err(error(value, WRONG, "write a whole number from 1: `count = 1_000`"));
    }
    Ok(Count::Expression(value.into_token_stream(), ty.to_token_stream()))
}

/// The value of a literal, if it can be one of type `count`.
fn number(literal: &LitInt, count: CountType) -> syn::Result<u64> {
    let (name, suffix) = (count.name(), literal.suffix());
    if !suffix.is_empty() && suffix != name {
        let wrong = format_args!("the function takes the count as `{name}`");
        return Err(error(literal, wrong, format_args!("write the number without `{suffix}`")));
    }
    let number = literal.base10_parse().ok().filter(|number| *number <= count.max());
    number.ok_or_else(|| {
        let wrong = format_args!("the function takes the count as `{name}`, and this does not fit");
        let instead = format_args!("write at most {}", count.max());
        error(literal, wrong, instead)
    })
}

/// Only the compiler knows the target's `usize`.
fn fits_everywhere(number: u64, count: CountType) -> bool {
    !matches!(count, CountType::Usize) || number <= u32::MAX.into()
}
