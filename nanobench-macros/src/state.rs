//! The options `setup`, `every`, `reset`, `teardown` and `fixture`.

use crate::callable::{self, Arguments, CallableParameter};
use crate::errors::Errors;
use crate::key_value::{KeyValue, once};
use crate::values;
use syn::{Expr, Ident};

/// The lifetime of a value of `setup`.
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

/// The values of these options.
#[derive(Default)]
pub(crate) struct State {
    /// Creates an input.
    pub(crate) setup: Option<KeyValue<Expr>>,
    every: Option<KeyValue<Every>>,
    /// Called before each sample.
    pub(crate) reset: Option<KeyValue<Expr>>,
    /// Called after each sample, or with a value of `setup` at the end of its life.
    pub(crate) teardown: Option<KeyValue<Expr>>,
    /// Creates a value shared by all benchmarks that name this function.
    pub(crate) fixture: Option<KeyValue<Expr>>,
}

impl State {
    /// Adds the option `key`. [`State::check`] checks the callables once all options are known.
    /// An invalid one is kept, so that the function's parameter isn't reported as well.
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
            _ => unreachable!("`{key}` is not an option of this module"),
        }
    }

    /// Returns the lifetime of a value of `setup`.
    pub(crate) fn every(&self) -> Every {
        self.every.as_ref().map_or(Every::Call, |every| every.value)
    }

    /// Returns whether `setup` is called with the argument.
    pub(crate) fn setup_takes_argument(&self) -> bool {
        self.setup.as_ref().is_some_and(|setup| callable::parameter(&setup.value) != CallableParameter::None)
    }

    /// Checks that all callables can be called, and that `every` has a `setup`.
    pub(crate) fn check(&self, has_args: bool, errors: &mut Errors) {
        if let Some(KeyValue { value, .. }) = &self.setup {
            let arguments = match has_args {
                true => Arguments::One("one of `args`"),
                false => Arguments::NoneUnless("supply an argument: `args = [100, 1_000]`"),
            };
            errors.check(callable::check_setup(value, arguments));
        }
        if let Some(KeyValue { value, .. }) = &self.reset {
            errors.check(callable::check("reset", value, Arguments::None));
        }
        if let Some(KeyValue { value, .. }) = &self.teardown {
            self.check_teardown(value, has_args, errors);
        }
        if let Some(KeyValue { value, .. }) = &self.fixture {
            errors.check(callable::check("fixture", value, Arguments::None));
        }
        if let (Some(every), None) = (&self.every, &self.setup) {
            let problem = "`every` sets how long a value of `setup` is used, and there is no `setup`";
            errors.at(&every.key, problem, "add `setup = || ..`, or remove `every`");
        }
    }

    fn check_teardown(&self, value: &Expr, has_args: bool, errors: &mut Errors) {
        let arguments = match (&self.setup, self.every()) {
            (Some(_), Every::Sample | Every::Benchmark) if has_args => {
                Arguments::Two("the value of `setup` and the argument")
            }
            (Some(_), Every::Sample | Every::Benchmark) => Arguments::One("the value of `setup`"),
            (Some(_), Every::Call) => {
                Arguments::NoneUnless("add `every = \"sample\"`, so that there is one value to pass")
            }
            (None, _) if has_args => Arguments::NoneUnless(
                "add `setup` and `every = \"sample\"`, whose value and argument it gets",
            ),
            (None, _) => Arguments::None,
        };
        errors.check(callable::check("teardown", value, arguments));
        if let Some(reference) = callable::exclusive_parameter(value).filter(|_| self.setup.is_some()) {
            let problem = "`teardown` takes the value of `setup` by value, not by reference";
            errors.at(
                reference,
                problem,
                "remove the type: `|mut value| ..`, or write the type of the value",
            );
        }
    }

    /// Checks that no value is shared by threads across samples.
    pub(crate) fn check_threads(&self, threads: Option<&Ident>, errors: &mut Errors) {
        let every = self.every.as_ref().filter(|every| every.value == Every::Benchmark);
        if let (Some(every), Some(_)) = (every, threads) {
            errors.at(
                &every.key,
                "with `threads`, each thread has its own value of `setup`, which lasts for one sample at most",
                "write `every = \"sample\"`; for one value shared by all threads, use `fixture = ..`",
            );
        }
    }
}
