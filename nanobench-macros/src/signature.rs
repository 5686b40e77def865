//! Checks that a function is one that can be called with nothing but a benchmark's parameters.

use crate::errors::Errors;
use crate::parameters::{self, Parameter};
use syn::{FnArg, GenericParam, Safety, Signature};

/// The parameters in the order in which the function takes them.
pub(crate) fn check(signature: &Signature, errors: &mut Errors) -> Vec<Parameter> {
    check_qualifiers(signature, errors);
    check_generics(signature, errors);
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => errors.at(
                receiver.self_token,
                "a benchmark can't be a method",
                "write a function outside of the `impl` that makes the value and calls the method on it",
            ),
            FnArg::Typed(input) => parameters.extend(parameters::check(input, &parameters, errors)),
        }
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, parameters::ALLOWED, "leave out the `...`");
    }
    parameters
}

fn check_qualifiers(signature: &Signature, errors: &mut Errors) {
    if let Some(token) = &signature.asyncness {
        errors.at(
            token,
            "a benchmark can't be an `async fn`",
            "write `fn`, and wait for the future inside it, with `block_on` of your async runtime",
        );
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(
            token,
            "a benchmark can't be an `unsafe fn`",
            "write `fn`, with an `unsafe` block inside it",
        );
    }
    if let Some(abi) = &signature.abi {
        errors.at(
            abi,
            "a benchmark can't be an `extern fn`",
            "write `fn`, and call the `extern fn` inside it",
        );
    }
}

fn check_generics(signature: &Signature, errors: &mut Errors) {
    let generics = &signature.generics;
    if generics.params.iter().any(|parameter| !matches!(parameter, GenericParam::Lifetime(_))) {
        errors.at(
            generics,
            "a benchmark can't be generic: nothing says what to run it with",
            "write a function without `<..>` for each case, and call the generic one inside it",
        );
    } else if !generics.params.is_empty() {
        errors.at(
            generics,
            "a benchmark has no lifetime parameters",
            "leave out the `<..>`: `&mut TimeControl` needs none",
        );
    }
    if let Some(clause) = &generics.where_clause {
        errors.at(clause, "a benchmark can't be generic, so a `where` bounds nothing", "leave it out");
    }
}
