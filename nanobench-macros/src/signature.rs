//! Checks that a function is one that can be called with nothing but a benchmark's parameters.

use crate::borrows::borrows;
use crate::errors::Errors;
use crate::options::Given;
use crate::parameters::{self, Parameter, Passing};
use syn::{Expr, FnArg, GenericParam, ReturnType, Safety, Signature};

/// The parameters in the order in which the function takes them.
pub(crate) fn check(
    signature: &Signature,
    setup: Option<&Given<Expr>>,
    errors: &mut Errors,
) -> Vec<Parameter> {
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
            FnArg::Typed(input) => {
                parameters.extend(parameters::check(input, &parameters, setup.is_some(), errors));
            }
        }
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, parameters::ALLOWED, "leave out the `...`");
    }
    // A parameter that is wrong may have been meant to take the value.
    if let Some(setup) = setup.filter(|_| parameters.len() == signature.inputs.len()) {
        find_input(&mut parameters, setup, errors);
    }
    check_result(signature, &parameters, errors);
    parameters
}

/// Without another parameter for the value of `setup`, a number takes it.
fn find_input(parameters: &mut [Parameter], setup: &Given<Expr>, errors: &mut Errors) {
    if parameters.iter().any(|parameter| matches!(parameter, Parameter::Input(..))) {
        return;
    }
    let number = parameters.iter_mut().find_map(|parameter| match parameter {
        Parameter::Count(_, ty) => Some((ty.clone(), parameter)),
        _ => None,
    });
    match number {
        Some((ty, parameter)) => *parameter = Parameter::Input(Passing::Value, ty),
        None => errors.at(
            &setup.key,
            "there is no parameter that takes the value of `setup`",
            "add one of the type that it returns, as a value, `&mut` or `&`: `input: &mut Vec<u64>`",
        ),
    }
}

/// A result is kept until the clock has stopped.
fn check_result(signature: &Signature, parameters: &[Parameter], errors: &mut Errors) {
    let ReturnType::Type(_, result) = &signature.output else { return };
    if parameters.iter().any(Parameter::borrows_input) && borrows(result) {
        errors.at(
            result,
            "the result is kept until the clock has stopped, and can't borrow from the input",
            "return it as a value (`.copied()`, `.to_owned()`), \
             or pass it to `std::hint::black_box` in the function and return nothing",
        );
    }
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
            "leave out the `<..>`: a reference needs none",
        );
    }
    if let Some(clause) = &generics.where_clause {
        errors.at(clause, "a benchmark can't be generic, so a `where` bounds nothing", "leave it out");
    }
}
