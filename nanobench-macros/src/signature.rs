//! Checks the signature of a benchmark.

use crate::errors::Errors;
use crate::input_options::InputOptions;
use crate::inputs::{self, InputKind};
use crate::lifetimes;
use crate::parameters::{self, Parameter};
use quote::ToTokens as _;
use syn::{FnArg, Safety, Signature};

/// The parameters of a function, in order.
pub(crate) struct Parameters {
    pub(crate) all: Vec<Parameter>,
    /// The kind of each input among them.
    pub(crate) kinds: Vec<InputKind>,
}

/// Returns the valid parameters of a function.
pub(crate) fn check(signature: &Signature, options: &InputOptions, errors: &mut Errors) -> Parameters {
    check_qualifiers(signature, errors);
    let mut all = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => errors.at(
                receiver.self_token.to_token_stream(),
                "a benchmark can't be a method",
                "write a function outside of the `impl` that creates the value and calls the method",
            ),
            FnArg::Typed(input) => all.extend(parameters::check(input, &all, options, errors)),
        }
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, parameters::ALLOWED, "remove the `...`");
    }
    let mut parameters = Parameters { all, kinds: Vec::new() };
    // An invalid parameter may be the one meant to take the input.
    if parameters.all.len() == signature.inputs.len() {
        parameters.kinds = inputs::assign(options, &parameters.all, signature, errors);
    }
    lifetimes::check(&parameters, errors);
    parameters
}

impl Parameters {
    /// Returns the parameters that are inputs, with their kinds.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&Parameter, InputKind)> {
        let inputs = self.all.iter().filter(|parameter| parameter.as_input().is_some());
        inputs.zip(self.kinds.iter().copied())
    }
}

fn check_qualifiers(signature: &Signature, errors: &mut Errors) {
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(token, "a benchmark can't be an `unsafe fn`", "write `fn`, with an `unsafe` block inside");
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "a benchmark can't be an `extern fn`", "write `fn`, and call the `extern fn` inside");
    }
}
