//! Tells a function's parameters apart by their types.

use crate::errors::Errors;
use crate::inputs::Origins;
use crate::number::Integer;
use crate::written;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::mem::discriminant;
use syn::{Attribute, Lifetime, Pat, PatType, Type, TypePath, TypeReference};

pub(crate) const ALLOWED: &str = "a benchmark takes `count: u64 | u32 | usize`, `&mut TimeControl`, \
                                  or a value from `setup`, `args` or `fixture`";

/// What a parameter is for, and its type as it was written.
pub(crate) enum Parameter {
    /// How many operations to do.
    Count(Integer, Type),
    /// The clock.
    TimeControl(Type),
    /// What an option gives.
    Input(Passing, Type),
}

/// How an input is passed.
#[derive(Clone, Copy)]
pub(crate) enum Passing {
    Value,
    Shared,
    Exclusive,
}

impl Parameter {
    /// How an input is passed, and its type.
    pub(crate) fn as_input(&self) -> Option<(Passing, &Type)> {
        match self {
            Parameter::Input(passing, ty) => Some((*passing, ty)),
            Parameter::Count(..) | Parameter::TimeControl(_) => None,
        }
    }

    /// The type of an input that could have been a count.
    pub(crate) fn integer_input(&self) -> Option<Integer> {
        match self {
            Parameter::Input(Passing::Value, ty) => integer(ty),
            _ => None,
        }
    }
}

/// What `input` is for, unless it is wrong. `before` are the parameters before it.
pub(crate) fn check(
    input: &PatType,
    before: &[Parameter],
    origins: &Origins,
    errors: &mut Errors,
) -> Option<Parameter> {
    check_attributes(&input.attrs, errors);
    let parameter = classify(input, origins, errors)?;
    let is_input = matches!(parameter, Parameter::Input(..));
    if !is_input && before.iter().any(|other| discriminant(other) == discriminant(&parameter)) {
        another(input, &parameter, origins, errors);
        return None;
    }
    if let (Parameter::TimeControl(_), Some(lifetime)) = (&parameter, static_lifetime(&input.ty)) {
        errors.at(lifetime, "the `TimeControl` lives for one call only", "leave this out");
    }
    Some(parameter)
}

/// A parameter that comes and goes would need another call for each case.
fn check_attributes(attributes: &[Attribute], errors: &mut Errors) {
    for attribute in attributes {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            errors.at(
                attribute,
                "a benchmark's parameters can't be conditional",
                "write two functions, each under its own `#[cfg(..)]`",
            );
        }
    }
}

fn classify(input: &PatType, origins: &Origins, errors: &mut Errors) -> Option<Parameter> {
    let ty = &*input.ty;
    let (passing, value) = match bare(ty) {
        Type::Reference(TypeReference { mutability: None, elem, .. }) => (Passing::Shared, bare(elem)),
        Type::Reference(TypeReference { elem, .. }) => (Passing::Exclusive, bare(elem)),
        value => (Passing::Value, value),
    };
    let is_control = is_time_control(value);
    match (passing, integer(value)) {
        // With `args`, numbers are as likely to be arguments.
        (Passing::Value, Some(integer)) if !origins.has_args() || is_count(&input.pat) => {
            return Some(Parameter::Count(integer, ty.clone()));
        }
        (Passing::Exclusive, _) if is_control => return Some(Parameter::TimeControl(ty.clone())),
        _ => {}
    }
    if origins.are_none() || is_control {
        errors.at(ty, ALLOWED, instead_of(value));
        return None;
    }
    if has_impl(ty.to_token_stream()) {
        errors.at(
            ty,
            "a benchmark can't be generic by `impl`: nothing says what to run it with",
            "write the type that the value has",
        );
        return None;
    }
    Some(Parameter::Input(passing, ty.clone()))
}

/// Whether a parameter has the name of a count.
fn is_count(pattern: &Pat) -> bool {
    matches!(written::compact(pattern).trim_start_matches("mut "), "count" | "_count")
}

/// What to write for a type that is none of a benchmark's.
fn instead_of(value: &Type) -> &'static str {
    const NUMBERS: [&str; 11] =
        ["u8", "u16", "u128", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];
    match value {
        _ if is_time_control(value) => "write `&mut TimeControl`",
        _ if integer(value).is_some() => "leave out the `&`: the count is passed by value",
        Type::Path(path) if NUMBERS.iter().any(|number| is_named(path, number)) => {
            "write `u64` if this is to be the count; if not, \
             where does it come from? e.g. `#[nanobench(setup = || 5)]`"
        }
        _ => {
            "where does this come from? e.g. `#[nanobench(setup = || ..)]`, which makes one for each call, \
             or `args = [..]`"
        }
    }
}

/// The error of a second parameter of a kind.
fn another(input: &PatType, parameter: &Parameter, origins: &Origins, errors: &mut Errors) {
    let (what, instead) = match parameter {
        Parameter::Count(integer, _) if origins.is_setup_alone() => {
            let name = integer.name();
            ("count", format!("write `&{name}` if this is the value of `setup`; if not, leave it out"))
        }
        Parameter::Count(..) if origins.are_none() => {
            ("count", "leave this one out, or say what it is to be: `args = [100, 1_000]`".to_owned())
        }
        Parameter::Count(..) => ("count", "leave this one out".to_owned()),
        _ => ("`&mut TimeControl`", "leave this one out".to_owned()),
    };
    errors.at(input, format_args!("a benchmark takes one {what}, and this is another"), instead);
}

/// Whether an input is of a type whose values are as cheap to copy as to look at.
pub(crate) fn is_primitive(parameter: &Parameter) -> bool {
    const PRIMITIVES: [&str; 16] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
        "bool", "char",
    ];
    match parameter.as_input().map(|(_, ty)| bare(ty)) {
        Some(Type::Path(path)) => PRIMITIVES.iter().any(|primitive| is_named(path, primitive)),
        _ => false,
    }
}

fn integer(ty: &Type) -> Option<Integer> {
    let Type::Path(path) = bare(ty) else { return None };
    Integer::ALL.into_iter().find(|integer| is_named(path, integer.name()))
}

fn is_time_control(ty: &Type) -> bool {
    matches!(bare(ty), Type::Path(path) if is_named(path, "TimeControl"))
}

/// Whether the last segment of `path` is `name`, without arguments.
fn is_named(path: &TypePath, name: &str) -> bool {
    let last = path.path.segments.last();
    path.qself.is_none() && last.is_some_and(|last| last.ident == name && last.arguments.is_none())
}

/// Whether there is an `impl Trait` anywhere in a type.
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

/// The type without parentheses, and without the invisible ones around a `$t:ty` of `macro_rules!`.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
    }
}
