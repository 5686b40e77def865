//! The count passed to a benchmark, from the parameter and the option `count`.

use crate::errors::{Errors, error};
use crate::key_value::KeyValue;
use crate::number::{Integer, Number};
use crate::option_spec::OptionSpec;
use crate::parameters::Parameter;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Signature};

/// The count that the harness passes.
pub(crate) enum Count {
    /// No count: the function has no such parameter.
    None,
    /// A count that the harness chooses.
    Auto,
    Fixed(Number),
}

/// Matches the option with the parameter.
pub(crate) fn resolve(
    option: Option<KeyValue<Expr>>,
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
            Number::of_type(option.value, integer, ty, OptionSpec::named("count")).map(Count::Fixed)
        }
        // An invalid parameter may be the one meant to take the count.
        (Some(_), None) if parameters.len() < signature.inputs.len() => return Count::None,
        (Some(option), None) => Err(no_parameter(&option, parameters)),
    };
    errors.check(count).unwrap_or(Count::None)
}

fn no_parameter(option: &KeyValue<Expr>, parameters: &[Parameter]) -> syn::Error {
    let input = parameters.iter().find_map(Parameter::integer_input);
    let Some(integer) = input.map(Integer::name) else {
        return error(
            &option.key,
            "no parameter takes the count",
            "add `count: u64`, and loop over it in the function",
        );
    };
    error(
        &option.key,
        "no parameter takes the count: the number is an input",
        format_args!("name it `count: {integer}` if it is the count, or add that parameter"),
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
