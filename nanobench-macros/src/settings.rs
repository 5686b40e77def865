//! The options that are passed on to the harness as they are.

use crate::callable;
use crate::errors::Errors;
use crate::number::{Meaning, Number};
use crate::options::{Given, once};
use crate::values;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Expr;

const SAMPLES: Meaning = Meaning {
    is: "`samples` is how many samples are taken",
    example: "samples = 30",
    taken: "`samples` is taken",
    least: 1,
};

const ITERATIONS: Meaning = Meaning {
    is: "`iterations` is how many iterations a sample has",
    example: "iterations = 1_000",
    taken: "`iterations` is taken",
    least: 1,
};

const WARMUP: Meaning = Meaning {
    is: "`warmup` is how many calls go before the first sample",
    example: "warmup = 3",
    taken: "`warmup` is taken",
    least: 0,
};

/// What was given of them.
#[derive(Default)]
pub(crate) struct Settings {
    reset: Option<Given<TokenStream>>,
    samples: Option<Given<Number>>,
    /// In ns.
    sample_time: Option<Given<u64>>,
    iterations: Option<Given<Number>>,
    warmup: Option<Given<Number>>,
    prime: Option<Given<bool>>,
}

impl Settings {
    /// Adds the setting `key`.
    pub(crate) fn add(&mut self, key: Ident, value: Expr) -> syn::Result<()> {
        match key.to_string().as_str() {
            "reset" => {
                callable::check("reset", &value)?;
                once(&mut self.reset, key, callable::closure(&value))
            }
            "samples" => once(&mut self.samples, key, Number::new(value, &SAMPLES)?),
            "sample_time" => once(&mut self.sample_time, key, values::duration("sample_time", value)?),
            "iterations" => once(&mut self.iterations, key, Number::new(value, &ITERATIONS)?),
            "warmup" => once(&mut self.warmup, key, Number::new(value, &WARMUP)?),
            "prime" => once(&mut self.prime, key, values::flag("prime", value)?),
            _ => unreachable!("`{key}` is among the options, and none of them"),
        }
    }

    /// Finds those that speak against each other.
    pub(crate) fn check(&self, errors: &mut Errors) {
        if let (Some(Given { value: false, .. }), Some(warmup)) = (&self.prime, &self.warmup) {
            let wrong = "`warmup` asks for calls before the first sample, and `prime = false` for none";
            errors.at(&warmup.key, wrong, "leave one of them out");
        }
        if let (Some(_), Some(sample_time)) = (&self.iterations, &self.sample_time) {
            let wrong = "`iterations` says how long a sample is, and `sample_time` says it, too";
            errors.at(&sample_time.key, wrong, "leave one of them out");
        }
    }
}

/// The fields of an `Entry`.
impl ToTokens for Settings {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Settings { reset, samples, sample_time, iterations, warmup, prime } = self;
        field(reset, tokens);
        field(samples, tokens);
        field(sample_time, tokens);
        field(iterations, tokens);
        field(warmup, tokens);
        field(prime, tokens);
    }
}

/// A setting has the name of its field.
fn field(setting: &Option<Given<impl ToTokens>>, tokens: &mut TokenStream) {
    if let Some(Given { key, value }) = setting {
        tokens.extend(quote!(#key: ::core::option::Option::Some(#value),));
    }
}
