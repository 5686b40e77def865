//! How many operations a benchmark does in a call: the parameter and the option `count` put together.

use crate::errors::{Errors, error};
use crate::number::{Integer, Meaning, Number};
use crate::options::Given;
use crate::parameters::Parameter;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Signature};

const MEANING: Meaning = Meaning {
    is: "`count` is how many operations the function does in a call",
    example: "count = 1_000",
    taken: "the function takes the count",
    least: 1,
};

/// What the harness passes as the count.
pub(crate) enum Count {
    /// Nothing: the function has no such parameter.
    None,
    /// What it finds to be good.
    Auto,
    Fixed(Number),
}

/// Puts the option and the parameter together.
pub(crate) fn resolve(
    option: Option<Given<Expr>>,
    parameters: &[Parameter],
    signature: &Signature,
    errors: &mut Errors,
) -> Count {
    let parameter = parameters.iter().find_map(|parameter| match parameter {
        Parameter::Count(integer, ty) => Some((*integer, ty)),
        Parameter::TimeControl(_) | Parameter::Input(..) => None,
    });
    let count = match (option, parameter) {
        (None, None) => Ok(Count::None),
        (None, Some(_)) => Ok(Count::Auto),
        (Some(option), Some((integer, ty))) => {
            Number::of_type(option.value, integer, ty, &MEANING).map(Count::Fixed)
        }
        // A parameter that is wrong may have been meant to take it.
        (Some(_), None) if parameters.len() < signature.inputs.len() => return Count::None,
        (Some(option), None) => Err(no_parameter(&option, parameters)),
    };
    count.unwrap_or_else(|error| {
        errors.push(error);
        Count::None
    })
}

fn no_parameter(option: &Given<Expr>, parameters: &[Parameter]) -> syn::Error {
    let input = parameters.iter().find_map(Parameter::integer_input);
    let Some(integer) = input.map(Integer::name) else {
        return error(
            &option.key,
            "there is no parameter that takes the count",
            "add one, `count: u64`, and loop over it in the function",
        );
    };
    error(
        &option.key,
        "there is no parameter that takes the count: the number takes the value of `setup`",
        format_args!("leave `count` out, or write `&{integer}` for that number and add `count: u64`"),
    )
}

impl ToTokens for Count {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Count::None => quote!(None),
            Count::Auto => quote!(Auto),
            Count::Fixed(number) => quote!(Fixed(#number)),
        });
    }
}
