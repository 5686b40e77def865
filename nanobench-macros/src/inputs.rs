//! Matches the inputs of a function with the options that supply them: `setup`, `args` and
//! `fixture`, in this order.

use crate::errors::Errors;
use crate::input_options::{InputOptions, Supplier};
use crate::parameters::{self, Parameter, Passing, is_copied, static_lifetime};
use crate::settings::Settings;
use crate::state::Every;
use crate::tokens::{compact_text, find_variable};
use syn::{FnArg, Ident, Pat, PatType, Signature, Type};

/// The kinds of inputs, by origin and lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// A value of `setup`, made for one call.
    Setup,
    /// A value of `setup`, shared by many calls.
    SharedSetup,
    /// The argument of the row: a copy of numbers and references, or a reference.
    Argument,
    /// A clone of the argument, made for one call.
    ArgumentClone,
    Fixture,
}

impl InputKind {
    pub(crate) fn is_made_per_call(self) -> bool {
        matches!(self, InputKind::Setup | InputKind::ArgumentClone)
    }
}

/// Returns the kind of each input of the function, in order. `parameters` are all parameters.
pub(crate) fn assign(
    options: &InputOptions,
    parameters: &[Parameter],
    signature: &Signature,
    errors: &mut Errors,
) -> Vec<InputKind> {
    let inputs = parameters.iter().filter(|parameter| parameter.as_input().is_some()).count();
    let mut suppliers = options.suppliers.clone();
    if inputs < suppliers.len() && options.has(Supplier::Setup) && options.setup_takes_argument {
        suppliers.retain(|(supplier, _)| *supplier != Supplier::Args);
    }
    for (supplier, key) in suppliers.iter().skip(inputs) {
        report_unused(options, *supplier, key, parameters, errors);
    }
    // If each input has a supplier, the type is the user's own.
    if inputs > suppliers.len() && parameters::report_bencher(parameters, errors) {
        return Vec::new();
    }
    let mut suppliers = suppliers.iter();
    let mut kinds = Vec::new();
    for (parameter, written) in parameters.iter().zip(&signature.inputs) {
        let Some((passing, ty)) = parameter.as_input() else { continue };
        match suppliers.next() {
            Some((supplier, _)) => {
                let kind = kind(options, *supplier, passing, parameter);
                check_passing(kind, passing, ty, options.every, errors);
                kinds.push(kind);
            }
            None => report_unsupplied(options, written, errors),
        }
    }
    kinds
}

fn kind(options: &InputOptions, supplier: Supplier, passing: Passing, parameter: &Parameter) -> InputKind {
    match (supplier, passing) {
        (Supplier::Setup, _) if options.every == Every::Call => InputKind::Setup,
        (Supplier::Setup, _) => InputKind::SharedSetup,
        (Supplier::Args, Passing::Shared) => InputKind::Argument,
        (Supplier::Args, Passing::Value) if parameter.as_input().is_some_and(|(_, ty)| is_copied(ty)) => {
            InputKind::Argument
        }
        (Supplier::Args, _) => InputKind::ArgumentClone,
        (Supplier::Fixture, _) => InputKind::Fixture,
    }
}

/// Reports an option whose value no parameter takes.
fn report_unused(
    options: &InputOptions,
    supplier: Supplier,
    key: &Ident,
    parameters: &[Parameter],
    errors: &mut Errors,
) {
    let has_count = parameters.iter().any(|parameter| matches!(parameter, Parameter::Count(..)));
    let (problem, fix) = match supplier {
        Supplier::Setup if has_count => (
            "no parameter takes the value of `setup`: the one named `count` takes the count",
            "rename it if it should take the value of `setup`: `n: u64`",
        ),
        Supplier::Setup => (
            "no parameter takes the value of `setup`",
            "add one of the type that `setup` returns, by value, `&mut` or `&`: `input: &mut Vec<u64>`",
        ),
        Supplier::Args if options.has(Supplier::Setup) => (
            "neither `setup` nor the function has a parameter for the argument",
            "pass it to `setup`: `setup = |argument| ..`, or add a parameter after the value of `setup`",
        ),
        Supplier::Args if has_count => (
            "no parameter takes the argument: the one named `count` takes the count",
            "rename it if it should take the argument: `n: usize`",
        ),
        Supplier::Args => {
            ("no parameter takes the argument", "add one of its type, by value, `&` or `&mut`: `n: usize`")
        }
        Supplier::Fixture => (
            "no parameter takes the fixture",
            "add one after the other inputs, by reference: `words: &[String]`",
        ),
    };
    errors.at(key, problem, fix);
}

/// Reports an input without an option that supplies it.
fn report_unsupplied(options: &InputOptions, parameter: &FnArg, errors: &mut Errors) {
    if options.may_have_more {
        return;
    }
    let (problem, fix) = match options.suppliers[..] {
        [(Supplier::Setup, _)] => (
            "a benchmark takes only one value from `setup`",
            "take two values as one: `(a, b): (A, B)`, with `setup = || (.., ..)`; a loop count is named `count`",
        ),
        [(Supplier::Args, _)] => (
            "a benchmark takes only one argument",
            "take two arguments as one: `(a, b): (A, B)`, with `args = [(.., ..), (.., ..)]`; a loop count is named `count`",
        ),
        _ if !options.has(Supplier::Setup) => {
            ("no option supplies this parameter", "remove it, or add `setup = || ..`")
        }
        _ => ("no option supplies this parameter", "remove it, or take two values as one, in a tuple"),
    };
    errors.at(parameter, problem, fix);
}

/// Checks that options that apply to all calls don't depend on the function's parameters.
pub(crate) fn check_settings(
    signature: &Signature,
    settings: &Settings,
    has_input: bool,
    errors: &mut Errors,
) {
    let name = |input: &FnArg| match input {
        FnArg::Typed(PatType { pat, .. }) => match &**pat {
            Pat::Ident(pattern) => Some(pattern.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    };
    let names: Vec<Ident> = signature.inputs.iter().filter_map(name).collect();
    for (key, value) in settings.common_to_calls() {
        let Some(name) = find_variable(value, &names) else { continue };
        let problem = format!("`{key}` is the same for all calls and can't depend on the parameter `{name}`");
        let fix = match has_input && key == "batch" {
            true => {
                "write a constant; if the amount of work varies, use `batch = |argument| ..` or `items = |input| ..`"
            }
            false => "write a constant",
        };
        errors.at(&name, problem, fix);
    }
}

/// Checks that an input can be passed like this.
fn check_passing(kind: InputKind, passing: Passing, ty: &Type, every: Every, errors: &mut Errors) {
    let lifetime_problem = match (kind, passing) {
        (InputKind::Fixture, Passing::Value | Passing::Exclusive) => {
            errors.at(
                ty,
                "a fixture is shared by all calls and must be taken by `&`",
                "write `&`, and clone it in the function if needed; for a value per call, use `setup`",
            );
            return;
        }
        (InputKind::SharedSetup, Passing::Value) => {
            errors.at(
                ty,
                format_args!("with `every = \"{}\"`, many calls share one value of `setup`", every.name()),
                format_args!("take it by `&mut` or `&`: `&mut {}`", compact_text(ty)),
            );
            return;
        }
        (InputKind::Setup | InputKind::ArgumentClone, Passing::Value) => {
            check_tuple_elements(ty, errors);
            return;
        }
        (InputKind::Setup, Passing::Exclusive) => "the value of `setup` lives for one call only",
        (InputKind::SharedSetup, Passing::Exclusive) => "the value of `setup` is borrowed for one call only",
        (InputKind::ArgumentClone, Passing::Exclusive) => "the clone of the argument lives for one call only",
        _ => return,
    };
    if let Some(lifetime) = static_lifetime(ty) {
        errors.at(lifetime, lifetime_problem, "remove this lifetime");
    }
}

/// Reports a tuple by value that contains a `&mut`: inputs are made as values, not as references to
/// something.
fn check_tuple_elements(ty: &Type, errors: &mut Errors) {
    let Type::Tuple(tuple) = parameters::bare(ty) else { return };
    let is_exclusive = |ty: &&Type| matches!(parameters::bare(ty), Type::Reference(reference) if reference.mutability.is_some());
    if let Some(element) = tuple.elems.iter().find(is_exclusive) {
        errors.at(
            element,
            "each call gets values of its own, to which nothing else can have a `&mut`",
            "take a reference to the tuple of the values: `(a, b): &mut (A, B)`, where `b` is then a `&mut B`",
        );
    }
}
