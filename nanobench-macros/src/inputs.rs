//! Which parameter takes what: the value of `setup`, the argument, the fixture, in this order.

use crate::callable;
use crate::errors::Errors;
use crate::options::{Given, Options};
use crate::parameters::{self, Parameter, Passing, is_primitive, static_lifetime};
use crate::settings::Settings;
use crate::state::Every;
use crate::written;
use syn::{Expr, FnArg, Ident, Pat, PatType, Signature, Type};

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A value of `setup` of the call's own.
    Setup,
    /// A value of `setup` that serves many calls.
    State,
    /// The argument itself: a copy of a number, or a reference.
    Argument,
    /// A clone of the argument of the call's own.
    Clone,
    /// The fixture.
    Fixture,
}

impl Source {
    /// Whether there is one for each call.
    pub(crate) fn is_made(self) -> bool {
        matches!(self, Source::Setup | Source::Clone)
    }
}

/// An option that an input comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Setup,
    Args,
    Fixture,
}

/// What is given for the parameters to take.
pub(crate) struct Origins<'a> {
    /// In the order in which parameters take them, with the key of the option.
    given: Vec<(Origin, &'a Ident)>,
    every: Every,
    /// The function may leave the argument out, as it went to `setup`.
    setup_takes_argument: bool,
}

impl<'a> Origins<'a> {
    pub(crate) fn new(options: &'a Options) -> Origins<'a> {
        let Options { state, rows, .. } = options;
        let options =
            [(Origin::Setup, &state.setup), (Origin::Args, &rows.args), (Origin::Fixture, &state.fixture)];
        let given = options
            .into_iter()
            .filter_map(|(origin, option)| option.as_ref().map(|Given { key, .. }| (origin, key)))
            .collect();
        Origins { given, every: state.every(), setup_takes_argument: state.setup_takes_argument() }
    }

    pub(crate) fn are_none(&self) -> bool {
        self.given.is_empty()
    }

    pub(crate) fn has_args(&self) -> bool {
        self.has(Origin::Args)
    }

    /// Whether `setup` is the only one.
    pub(crate) fn is_setup_alone(&self) -> bool {
        self.has(Origin::Setup) && self.given.len() == 1
    }

    fn has(&self, origin: Origin) -> bool {
        self.given.iter().any(|(given, _)| *given == origin)
    }

    /// Says for each input of the function what it is, in their order. `parameters` are all of the function's.
    pub(crate) fn assign(
        &self,
        parameters: &mut [Parameter],
        signature: &Signature,
        errors: &mut Errors,
    ) -> Vec<Source> {
        self.find_number(parameters);
        let inputs = || parameters.iter().filter_map(Parameter::as_input);
        let number = inputs().count();
        let mut given = self.given.clone();
        if number < given.len()
            && self.has(Origin::Setup)
            && self.has(Origin::Args)
            && self.setup_takes_argument
        {
            given.retain(|(origin, _)| *origin != Origin::Args);
        }
        for (origin, key) in given.iter().skip(number) {
            self.not_taken(*origin, key, parameters, errors);
        }
        let mut left = given.iter();
        let mut sources = Vec::new();
        for (parameter, written) in parameters.iter().zip(&signature.inputs) {
            let Some((passing, ty)) = parameter.as_input() else { continue };
            match left.next() {
                Some((origin, _)) => {
                    let source = self.source(*origin, passing, parameter);
                    check(source, passing, ty, self.every, errors);
                    sources.push(source);
                }
                None => self.another(written, errors),
            }
        }
        sources
    }

    fn source(&self, origin: Origin, passing: Passing, parameter: &Parameter) -> Source {
        match (origin, passing) {
            (Origin::Setup, _) if self.every == Every::Call => Source::Setup,
            (Origin::Setup, _) => Source::State,
            (Origin::Args, Passing::Shared) => Source::Argument,
            (Origin::Args, Passing::Value) if is_primitive(parameter) => Source::Argument,
            (Origin::Args, _) => Source::Clone,
            (Origin::Fixture, _) => Source::Fixture,
        }
    }

    /// Without another parameter for it, a number takes the value of `setup` or the fixture. With `args`, its name has
    /// said what it is.
    fn find_number(&self, parameters: &mut [Parameter]) {
        let inputs = parameters.iter().filter(|parameter| parameter.as_input().is_some()).count();
        if self.has_args() || inputs >= self.given.len() {
            return;
        }
        for parameter in parameters {
            if let Parameter::Count(_, ty) = parameter {
                *parameter = Parameter::Input(Passing::Value, ty.clone());
            }
        }
    }

    /// The error of an option that no parameter takes the value of.
    fn not_taken(&self, origin: Origin, key: &Ident, parameters: &[Parameter], errors: &mut Errors) {
        let counts = parameters.iter().any(|parameter| matches!(parameter, Parameter::Count(..)));
        let (wrong, instead) = match origin {
            Origin::Setup => (
                "there is no parameter that takes the value of `setup`",
                "add one of the type that it returns, as a value, `&mut` or `&`: `input: &mut Vec<u64>`",
            ),
            Origin::Args if self.has(Origin::Setup) => (
                "nothing takes the argument: `setup` has no parameter for it, and the function none besides",
                "give it to `setup`: `setup = |argument| ..`, or add a parameter after that for its value",
            ),
            Origin::Args if counts => (
                "there is no parameter that takes the argument: what is named `count` takes the count",
                "give that another name if it is to take the argument: `n: usize`",
            ),
            Origin::Args => (
                "there is no parameter that takes the argument",
                "add one of its type, as a value, `&` or `&mut`: `n: usize`",
            ),
            Origin::Fixture => (
                "there is no parameter that takes the fixture",
                "add one as the last of the inputs, by reference: `words: &[String]`",
            ),
        };
        errors.at(key, wrong, instead);
    }

    /// The error of an input that nothing is left for.
    fn another(&self, parameter: &syn::FnArg, errors: &mut Errors) {
        let (what, instead) = match self.given.last().map(|(origin, _)| *origin) {
            _ if self.is_setup_alone() => {
                ("one value from `setup`", "take both as one: `(a, b): (A, B)`, with `setup = || (.., ..)`")
            }
            Some(Origin::Args) if self.given.len() == 1 => {
                ("one argument", "take both as one: `(a, b): (A, B)`, with `args = [(.., ..), (.., ..)]`")
            }
            _ if !self.has(Origin::Setup) => {
                ("no more than there are `args` and `fixture`", "leave it out, or make it: `setup = || ..`")
            }
            _ => (
                "no more than there are `setup`, `args` and `fixture`",
                "leave it out, or take two as one, in a tuple",
            ),
        };
        errors.at(parameter, format_args!("a benchmark takes {what}, and this is another"), instead);
    }
}

/// One value of `setup` is one parameter, and a number beside it the count: so a tuple doesn't come apart into two.
pub(crate) fn check_tuple(
    signature: &Signature,
    parameters: &[Parameter],
    setup: Option<&Given<Expr>>,
    errors: &mut Errors,
) {
    let values = setup.and_then(|setup| callable::tuple_of(&setup.value));
    let taken: Vec<(&Parameter, &FnArg)> = parameters
        .iter()
        .zip(&signature.inputs)
        .filter(|(parameter, _)| !matches!(parameter, Parameter::TimeControl(_)))
        .collect();
    let [(one, first), (other, second)] = taken[..] else { return };
    let count = match (one, other) {
        (Parameter::Count(..), Parameter::Input(_, ty)) if is_no_tuple(ty) => first,
        (Parameter::Input(_, ty), Parameter::Count(..)) if is_no_tuple(ty) => second,
        _ => return,
    };
    if values == Some(2) {
        errors.at(
            count,
            "`setup` makes one value, a tuple, and this number beside it would be the count",
            "take both as one: `(a, b): (A, B)`",
        );
    }
}

/// Whether it can be seen that a type is no tuple: one of the standard library's that nobody calls a tuple of theirs.
fn is_no_tuple(ty: &Type) -> bool {
    const PLAIN: [&str; 6] = ["String", "str", "Vec", "Box", "bool", "char"];
    match parameters::bare(ty) {
        Type::Reference(reference) => is_no_tuple(&reference.elem),
        Type::Array(_) | Type::Slice(_) => true,
        Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| PLAIN.iter().any(|plain| last.ident == plain))
        }
        _ => false,
    }
}

/// What is said once for all calls can't be said by what each is called with.
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
    for (key, value) in settings.numbers() {
        let Some(name) = written::find_value(value, &names) else { continue };
        let wrong =
            format!("`{key}` is said once for all calls, and `{name}` is what one of them is called with");
        let instead = match has_input && key == "batch" {
            true => {
                "write what is the same for all; how much a call works on may differ: `items = |input| ..`"
            }
            false => "write what is the same for all",
        };
        errors.at(&name, wrong, instead);
    }
}

/// Whether what the input is can be passed like this.
fn check(source: Source, passing: Passing, ty: &syn::Type, every: Every, errors: &mut Errors) {
    let lives = match (source, passing) {
        (Source::Fixture, Passing::Value | Passing::Exclusive) => {
            errors.at(
                ty,
                "a fixture is made once and shared by all, so it is taken by `&`",
                "write `&`, and clone it in the function if need be; for a value of its own, use `setup`",
            );
            return;
        }
        (Source::State, Passing::Value) => {
            errors.at(
                ty,
                format_args!("with `every = \"{}\"` one value of `setup` serves many calls", every.name()),
                format_args!("take it by `&mut` or `&`: `&mut {}`", written::compact(ty)),
            );
            return;
        }
        (Source::Setup, Passing::Exclusive) => "the value of `setup` lives for one call only",
        (Source::State, Passing::Exclusive) => "the value of `setup` is borrowed for one call only",
        (Source::Clone, Passing::Exclusive) => "the clone of the argument lives for one call only",
        _ => return,
    };
    if let Some(lifetime) = static_lifetime(ty) {
        errors.at(lifetime, lives, "leave this out");
    }
}
