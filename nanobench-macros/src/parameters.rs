//! Tells a function's parameters apart by their types.

use crate::errors::Errors;
use crate::number::Integer;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::mem::discriminant;
use syn::{Attribute, Lifetime, PatType, Type, TypePath, TypeReference};

pub(crate) const ALLOWED: &str =
    "a benchmark takes `count: u64 | u32 | usize`, `&mut TimeControl`, or a value from `setup`";

/// What a parameter is for, and its type as it was written.
pub(crate) enum Parameter {
    /// How many operations to do.
    Count(Integer, Type),
    /// The clock.
    TimeControl(Type),
    /// The value of `setup`.
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
    /// Whether this takes a reference to what lives for one call only.
    pub(crate) fn borrows_input(&self) -> bool {
        match self {
            Parameter::Input(Passing::Shared | Passing::Exclusive, ty) => static_lifetime(ty).is_none(),
            _ => false,
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
    has_setup: bool,
    errors: &mut Errors,
) -> Option<Parameter> {
    check_attributes(&input.attrs, errors);
    let parameter = classify(&input.ty, has_setup, errors)?;
    if before.iter().any(|other| discriminant(other) == discriminant(&parameter)) {
        another(input, &parameter, has_setup, errors);
        return None;
    }
    let lives = match &parameter {
        Parameter::TimeControl(_) => "the `TimeControl` lives",
        Parameter::Input(Passing::Exclusive, _) => "the value of `setup` lives",
        _ => return Some(parameter),
    };
    if let Some(lifetime) = static_lifetime(&input.ty) {
        errors.at(lifetime, format_args!("{lives} for one call only"), "leave this out");
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

fn classify(ty: &Type, has_setup: bool, errors: &mut Errors) -> Option<Parameter> {
    let (passing, value) = match bare(ty) {
        Type::Reference(TypeReference { mutability: None, elem, .. }) => (Passing::Shared, bare(elem)),
        Type::Reference(TypeReference { elem, .. }) => (Passing::Exclusive, bare(elem)),
        value => (Passing::Value, value),
    };
    let is_control = is_time_control(value);
    match (passing, integer(value)) {
        (Passing::Value, Some(integer)) => return Some(Parameter::Count(integer, ty.clone())),
        (Passing::Exclusive, _) if is_control => return Some(Parameter::TimeControl(ty.clone())),
        _ => {}
    }
    if !has_setup || is_control {
        errors.at(ty, ALLOWED, instead_of(value));
        return None;
    }
    if has_impl(ty.to_token_stream()) {
        errors.at(
            ty,
            "a benchmark can't be generic, not even by `impl`",
            "write the type that `setup` returns",
        );
        return None;
    }
    Some(Parameter::Input(passing, ty.clone()))
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
        _ => "where does this come from? e.g. `#[nanobench(setup = || ..)]`, which makes one for each call",
    }
}

/// The error of a second parameter of a kind.
fn another(input: &PatType, parameter: &Parameter, has_setup: bool, errors: &mut Errors) {
    let (what, instead) = match parameter {
        Parameter::Count(integer, _) if has_setup => {
            let name = integer.name();
            ("count", format!("write `&{name}` if this is the value of `setup`; if not, leave it out"))
        }
        Parameter::Count(..) => ("count", "leave this one out".to_owned()),
        Parameter::TimeControl(_) => ("`&mut TimeControl`", "leave this one out".to_owned()),
        Parameter::Input(..) => (
            "value from `setup`",
            "take both as one: `(a, b): (A, B)`, with `setup = || (.., ..)`".to_owned(),
        ),
    };
    errors.at(input, format_args!("a benchmark takes one {what}, and this is another"), instead);
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
fn has_impl(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => has_impl(group.stream()),
        _ => false,
    })
}

fn static_lifetime(ty: &Type) -> Option<&Lifetime> {
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
