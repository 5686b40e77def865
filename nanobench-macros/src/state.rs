//! The options about what a function works on: `setup`, `every`, `reset`, `teardown` and `fixture`.

use crate::callable::{self, Called, Takes};
use crate::errors::Errors;
use crate::options::{Given, once};
use crate::values;
use syn::{Expr, Ident};

/// How long a value of `setup` serves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Every {
    Call,
    Sample,
    Benchmark,
}

impl Every {
    const ALL: [Every; 3] = [Every::Call, Every::Sample, Every::Benchmark];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Every::Call => "call",
            Every::Sample => "sample",
            Every::Benchmark => "benchmark",
        }
    }
}

/// What was given of them.
#[derive(Default)]
pub(crate) struct State {
    /// Makes an input.
    pub(crate) setup: Option<Given<Expr>>,
    every: Option<Given<Every>>,
    /// Is called before each sample.
    pub(crate) reset: Option<Given<Expr>>,
    /// Is called after each sample, or with the value of `setup`.
    pub(crate) teardown: Option<Given<Expr>>,
    /// Makes a value for all who name it.
    pub(crate) fixture: Option<Given<Expr>>,
}

impl State {
    /// Adds the option `key`. Whether its value can be called like that is seen when all options are known: it is
    /// given, even if it is wrong, as the function's parameter has where to come from.
    pub(crate) fn add(&mut self, key: Ident, value: Expr) -> syn::Result<()> {
        match key.to_string().as_str() {
            "setup" => once(&mut self.setup, key, value),
            "every" => {
                let index = values::one_of("every", Every::ALL.map(Every::name), &value)?;
                once(&mut self.every, key, Every::ALL[index])
            }
            "reset" => once(&mut self.reset, key, value),
            "teardown" => once(&mut self.teardown, key, value),
            "fixture" => once(&mut self.fixture, key, value),
            _ => unreachable!("`{key}` is among the options, and none of them"),
        }
    }

    /// How long a value of `setup` serves.
    pub(crate) fn every(&self) -> Every {
        self.every.as_ref().map_or(Every::Call, |every| every.value)
    }

    /// Whether `setup` is called with the argument.
    pub(crate) fn setup_takes_argument(&self) -> bool {
        self.setup.as_ref().is_some_and(|setup| callable::takes(&setup.value) != Takes::Nothing)
    }

    /// Finds what can't be called as it has to be.
    pub(crate) fn check(&self, has_args: bool, errors: &mut Errors) {
        if let Some(Given { value, .. }) = &self.setup {
            let called = match has_args {
                true => Called::With("the argument"),
                false => Called::BareBut("say what to call it with: `args = [100, 1_000]`"),
            };
            push(callable::check_setup(value, called), errors);
        }
        if let Some(Given { value, .. }) = &self.reset {
            push(callable::check("reset", value, Called::Bare), errors);
        }
        if let Some(Given { value, .. }) = &self.teardown {
            let called = match (&self.setup, self.every()) {
                (Some(_), Every::Sample | Every::Benchmark) => Called::With("the value of `setup`"),
                (Some(_), Every::Call) => Called::BareBut(
                    "add `every = \"sample\"`: with an input for each call there is no one value to be done with",
                ),
                (None, _) => Called::Bare,
            };
            push(callable::check("teardown", value, called), errors);
            if let Some(reference) = callable::takes_exclusively(value).filter(|_| self.setup.is_some()) {
                let wrong = "`teardown` is done with the value of `setup`, so it gets the value and no reference to it";
                errors.at(
                    reference,
                    wrong,
                    "leave the type out: `|mut value| ..`, or write that of the value",
                );
            }
        }
        if let Some(Given { value, .. }) = &self.fixture {
            push(callable::check("fixture", value, Called::Bare), errors);
        }
        if let (Some(every), None) = (&self.every, &self.setup) {
            let wrong = "`every` says how long a value of `setup` serves, and there is no `setup`";
            errors.at(&every.key, wrong, "add one: `setup = || ..`, or leave this out");
        }
    }
}

fn push(checked: syn::Result<()>, errors: &mut Errors) {
    if let Err(error) = checked {
        errors.push(error);
    }
}

/// Threads share what the row has, and a value that outlives the sample is changed by one at a time.
pub(crate) fn check_threads(state: &State, threads: Option<&Ident>, errors: &mut Errors) {
    if let (Some(every), Some(_)) =
        (state.every.as_ref().filter(|every| every.value == Every::Benchmark), threads)
    {
        errors.at(
            &every.key,
            "with `threads`, each has a value of `setup` of its own, and none outlives the sample",
            "write `every = \"sample\"`; for one that all of them share, `fixture = ..`",
        );
    }
}
