//! The option `manual`: the function has a clock of its own, and returns the time it has measured.

use crate::benchmark::Benchmark;
use crate::errors::Errors;
use crate::key_value::KeyValue;
use crate::options::Options;
use crate::parameters::{self, Parameter};
use crate::signature::Parameters;
use syn::{Ident, ReturnType, Signature, Type};

/// Checks a function that measures its own time.
pub(crate) fn check(options: &Options, signature: &Signature, parameters: &Parameters, errors: &mut Errors) {
    let Some(KeyValue { key, value: true }) = &options.manual else { return };
    check_result(key, signature, errors);
    let controlled = parameters.all.iter().find_map(|parameter| match parameter {
        Parameter::TimeControl(ty) => Some(ty),
        _ => None,
    });
    if let Some(ty) = controlled {
        errors.at(
            ty,
            "with `manual`, there is no clock to control: the function measures its own time",
            "remove this parameter, or `manual`",
        );
    }
    if let Some(unroll) = &options.unroll {
        errors.at(
            &unroll.key,
            "`unroll` can't be used with `manual`: the function has the loop",
            "remove `unroll`; for the number of operations, add `count: u64` and loop in the function",
        );
    }
}

fn check_result(key: &Ident, signature: &Signature, errors: &mut Errors) {
    let problem = "a `manual` benchmark returns the time that it has measured";
    let fix = "return the `Duration` of all `count` operations: \
               `fn f(count: u64) -> Duration`, with `start.elapsed()` at the end";
    match &signature.output {
        ReturnType::Default => errors.at(key, problem, fix),
        ReturnType::Type(_, ty) => match parameters::bare(ty) {
            // Any other name may be an alias, which the compiler checks.
            Type::Path(path) if !parameters::is_primitive(path) => {}
            Type::Never(_) => {}
            _ => errors.at(ty, problem, fix),
        },
    }
}

impl Benchmark<'_> {
    /// Returns whether the function measures its own time.
    pub(crate) fn is_manual(&self) -> bool {
        self.options.manual.as_ref().is_some_and(|manual| manual.value)
    }
}
