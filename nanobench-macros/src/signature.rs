//! Checks that a function is one that can be called with nothing but a benchmark's parameters.

use crate::borrows::borrows;
use crate::errors::Errors;
use crate::inputs::{Origins, Source};
use crate::parameters::{self, Parameter, Passing, static_lifetime};
use syn::{FnArg, ReturnType, Safety, Signature};

/// The parameters in the order in which the function takes them, and what each of the inputs among them is.
pub(crate) struct Parameters {
    pub(crate) all: Vec<Parameter>,
    pub(crate) sources: Vec<Source>,
}

/// The parameters of a function, as far as they are right.
pub(crate) fn check(signature: &Signature, origins: &Origins, errors: &mut Errors) -> Parameters {
    check_qualifiers(signature, errors);
    let mut all = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => errors.at(
                receiver.self_token,
                "a benchmark can't be a method",
                "write a function outside of the `impl` that makes the value and calls the method on it",
            ),
            FnArg::Typed(input) => all.extend(parameters::check(input, &all, origins, errors)),
        }
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, parameters::ALLOWED, "leave out the `...`");
    }
    let mut parameters = Parameters { all, sources: Vec::new() };
    // A parameter that is wrong may have been meant to take the value.
    if parameters.all.len() == signature.inputs.len() {
        parameters.sources = origins.assign(&mut parameters.all, signature, errors);
    }
    check_result(signature, &parameters, errors);
    parameters
}

impl Parameters {
    /// The inputs: how each is passed, and what it is.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&Parameter, Source)> {
        let inputs = self.all.iter().filter(|parameter| parameter.as_input().is_some());
        inputs.zip(self.sources.iter().copied())
    }

    /// Whether the function takes a reference to what lives for one call only.
    fn borrow_from_a_call(&self) -> bool {
        self.inputs().any(|(parameter, source)| match (parameter.as_input(), source) {
            (_, Source::Argument | Source::Fixture) | (Some((Passing::Value, _)) | None, _) => false,
            // It lives as long as the sample.
            (Some((Passing::Shared, _)), Source::State) => false,
            (Some((_, ty)), _) => static_lifetime(ty).is_none(),
        })
    }
}

/// A result is kept until the clock has stopped.
fn check_result(signature: &Signature, parameters: &Parameters, errors: &mut Errors) {
    let ReturnType::Type(_, result) = &signature.output else { return };
    if parameters.borrow_from_a_call() && borrows(result) {
        errors.at(
            result,
            "the result is kept until the clock has stopped, and can't borrow from the input",
            "return it as a value (`.copied()`, `.to_owned()`), \
             or pass it to `std::hint::black_box` in the function and return nothing",
        );
    }
}

fn check_qualifiers(signature: &Signature, errors: &mut Errors) {
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
