//! Classifies a function's parameters by their types.

use crate::errors::Errors;
use crate::input_options::InputOptions;
use crate::number::Integer;
use crate::tokens::{compact_text, copy};
use proc_macro2::{TokenStream, TokenTree};
use std::mem::discriminant;
use syn::{Attribute, Lifetime, Pat, PatType, Type, TypePath, TypeReference};

pub(crate) const ALLOWED: &str = "a benchmark takes `count: u64 | u32 | usize`, `&mut TimeControl`, \
                                  and values from `setup`, `args` or `fixture`";

/// A parameter by its purpose, with its type.
pub(crate) enum Parameter {
    /// The number of operations to do.
    Count(Integer, Type),
    /// The clock.
    TimeControl(Type),
    /// A value from an option.
    Input(Passing, Type),
}

/// The way an input is passed: `T`, `&T` or `&mut T`.
#[derive(Clone, Copy)]
pub(crate) enum Passing {
    Value,
    Shared,
    Exclusive,
}

impl Parameter {
    /// Returns the passing and the type of an input.
    pub(crate) fn as_input(&self) -> Option<(Passing, &Type)> {
        match self {
            Parameter::Input(passing, ty) => Some((*passing, ty)),
            Parameter::Count(..) | Parameter::TimeControl(_) => None,
        }
    }

    /// Returns the type.
    pub(crate) fn ty(&self) -> &Type {
        match self {
            Parameter::Count(_, ty) | Parameter::TimeControl(ty) | Parameter::Input(_, ty) => ty,
        }
    }

    /// Returns the type of an input that could have been a count.
    pub(crate) fn integer_input(&self) -> Option<Integer> {
        match self {
            Parameter::Input(Passing::Value, ty) => integer(ty),
            _ => None,
        }
    }
}

/// Returns the purpose of the parameter `input`, if it is valid. `previous` are the parameters
/// before it.
pub(crate) fn check(
    input: &PatType,
    previous: &[Parameter],
    options: &InputOptions,
    errors: &mut Errors,
) -> Option<Parameter> {
    check_attributes(&input.attrs, errors);
    let parameter = classify(input, options, errors)?;
    let is_input = matches!(parameter, Parameter::Input(..));
    if !is_input && previous.iter().any(|other| discriminant(other) == discriminant(&parameter)) {
        repeated(input, &parameter, options, errors);
        return None;
    }
    if let (Parameter::TimeControl(_), Some(lifetime)) = (&parameter, static_lifetime(&input.ty)) {
        errors.at(lifetime, "the `TimeControl` lives for one call only", "remove this lifetime");
    }
    Some(parameter)
}

/// Checks that a parameter is unconditional: the emitted call has all arguments.
fn check_attributes(attributes: &[Attribute], errors: &mut Errors) {
    for attribute in attributes {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            errors.at(
                attribute,
                "a benchmark's parameters can't be conditional",
                "write two functions, each with its own `#[cfg(..)]`",
            );
        }
    }
}

fn classify(input: &PatType, options: &InputOptions, errors: &mut Errors) -> Option<Parameter> {
    let ty = &*input.ty;
    let (passing, value) = passing_and_value(ty);
    let is_control = is_time_control(value);
    match (passing, integer(value)) {
        // Beside an option that supplies inputs, a number is an input unless it is named `count`.
        (Passing::Value, Some(integer)) if options.is_empty() || has_count_name(&input.pat) => {
            return Some(Parameter::Count(integer, copy(ty)));
        }
        (Passing::Exclusive, _) if is_control => return Some(Parameter::TimeControl(copy(ty))),
        _ => {}
    }
    if options.is_empty() || is_control {
        if !options.may_have_more || is_control || is_bencher(value) {
            errors.at(ty, ALLOWED, fix_of_type(value));
        }
        return None;
    }
    Some(Parameter::Input(passing, copy(ty)))
}

/// Returns the passing of a parameter of this type, and the type of its value.
fn passing_and_value(ty: &Type) -> (Passing, &Type) {
    match bare(ty) {
        Type::Reference(TypeReference { mutability: None, elem, .. }) => (Passing::Shared, bare(elem)),
        Type::Reference(TypeReference { elem, .. }) => (Passing::Exclusive, bare(elem)),
        value => (Passing::Value, value),
    }
}

/// Reports the first parameter of the type of other libraries' benchmarks. Returns whether there is
/// one.
pub(crate) fn report_bencher(parameters: &[Parameter], errors: &mut Errors) -> bool {
    let mut values = parameters.iter().map(|parameter| (parameter.ty(), passing_and_value(parameter.ty()).1));
    let Some((ty, value)) = values.find(|(_, value)| is_bencher(value)) else { return false };
    errors.at(ty, ALLOWED, fix_of_type(value));
    true
}

/// Returns whether a parameter has the name of a count.
fn has_count_name(pattern: &Pat) -> bool {
    matches!(compact_text(pattern).trim_start_matches("mut "), "count" | "_count")
}

/// Returns whether a type is that of the parameter of other libraries' benchmarks.
fn is_bencher(value: &Type) -> bool {
    let Type::Path(path) = value else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Bencher" || last.ident == "Criterion")
}

/// Returns the fix for a type that no benchmark parameter has.
fn fix_of_type(value: &Type) -> &'static str {
    const NUMBERS: [&str; 11] =
        ["u8", "u16", "u128", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];
    match value {
        _ if is_time_control(value) => "write `&mut TimeControl`",
        _ if integer(value).is_some() => "remove the `&`: the count is passed by value",
        _ if is_bencher(value) => {
            "remove it: the function's body is what is timed, and `setup = || ..` in the attribute makes its inputs"
        }
        Type::Path(path) if NUMBERS.iter().any(|number| is_named(path, number)) => {
            "write `u64` if this is the count; \
             for an input, add an option that supplies it, e.g. `#[nanobench(setup = || 5)]`"
        }
        _ => {
            "add an option that supplies it: `setup = || ..`, which makes a value for each call, or `args = [..]`"
        }
    }
}

/// Reports a second parameter with the same purpose.
fn repeated(input: &PatType, parameter: &Parameter, options: &InputOptions, errors: &mut Errors) {
    let (name, fix) = match parameter {
        Parameter::Count(..) if options.is_empty() => {
            ("count", "remove this parameter, or add an option that supplies it: `args = [100, 1_000]`")
        }
        Parameter::Count(..) => ("count", "remove this parameter"),
        _ => ("`&mut TimeControl`", "remove this parameter"),
    };
    errors.at(input, format_args!("a benchmark takes only one {name}"), fix);
}

/// Returns whether a value of a type of [`is_copied`] takes one register.
pub(crate) fn fits_register(ty: &Type) -> bool {
    const TWO_REGISTERS: [&str; 2] = ["u128", "i128"];
    match bare(ty) {
        Type::Path(path) => !TWO_REGISTERS.iter().any(|wide| is_named(path, wide)),
        _ => false,
    }
}

/// Returns whether a value of the type is copied instead of cloned, as far as that can be read: a
/// primitive type, or a tuple of such types and shared references.
pub(crate) fn is_copied(ty: &Type) -> bool {
    match bare(ty) {
        Type::Path(path) => is_primitive(path),
        Type::Tuple(tuple) => tuple.elems.iter().all(|element| match bare(element) {
            Type::Reference(reference) => reference.mutability.is_none(),
            element => is_copied(element),
        }),
        _ => false,
    }
}

pub(crate) fn is_primitive(path: &TypePath) -> bool {
    const PRIMITIVES: [&str; 16] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
        "bool", "char",
    ];
    PRIMITIVES.iter().any(|primitive| is_named(path, primitive))
}

fn integer(ty: &Type) -> Option<Integer> {
    let Type::Path(path) = bare(ty) else { return None };
    Integer::ALL.into_iter().find(|integer| is_named(path, integer.name()))
}

fn is_time_control(ty: &Type) -> bool {
    matches!(bare(ty), Type::Path(path) if is_named(path, "TimeControl"))
}

/// Returns whether the last segment of `path` is `name`, without arguments.
fn is_named(path: &TypePath, name: &str) -> bool {
    let last = path.path.segments.last();
    path.qself.is_none() && last.is_some_and(|last| last.ident == name && last.arguments.is_none())
}

/// Returns whether a type contains `impl Trait`.
pub(crate) fn has_impl(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => has_impl(group.stream()),
        _ => false,
    })
}

pub(crate) fn static_lifetime(ty: &Type) -> Option<&Lifetime> {
    match bare(ty) {
        Type::Reference(reference) => {
            reference.lifetime.as_ref().filter(|lifetime| lifetime.ident == "static")
        }
        _ => None,
    }
}

/// Returns the type without parentheses and the invisible group of a `$t:ty` in `macro_rules!`.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
    }
}
