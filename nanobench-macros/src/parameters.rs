//! Tells a function's parameters apart by their types.

use crate::errors::Errors;
use std::mem::discriminant;
use syn::{Attribute, Lifetime, PatType, Type, TypePath, TypeReference};

pub(crate) const ALLOWED: &str =
    "a benchmark takes `count: u64 | u32 | usize`, `&mut TimeControl`, both, or nothing";

/// What a parameter is for, and its type as it was written.
pub(crate) enum Parameter {
    /// How many operations to do.
    Count(CountType, Type),
    /// The clock.
    TimeControl(Type),
}

/// The types of a count.
#[derive(Clone, Copy)]
pub(crate) enum CountType {
    U64,
    U32,
    Usize,
}

impl CountType {
    pub(crate) fn name(self) -> &'static str {
        match self {
            CountType::U64 => "u64",
            CountType::U32 => "u32",
            CountType::Usize => "usize",
        }
    }

    /// The largest count of this type on any target.
    pub(crate) fn max(self) -> u64 {
        match self {
            CountType::U32 => u32::MAX.into(),
            CountType::U64 | CountType::Usize => u64::MAX,
        }
    }

    fn of(path: &TypePath) -> Option<Self> {
        [CountType::U64, CountType::U32, CountType::Usize].into_iter().find(|of| is_named(path, of.name()))
    }
}

/// What `input` is for, unless it is wrong. `before` are the parameters before it.
pub(crate) fn check(input: &PatType, before: &[Parameter], errors: &mut Errors) -> Option<Parameter> {
    check_attributes(&input.attrs, errors);
    let Some(parameter) = classify(&input.ty) else {
        errors.at(&input.ty, ALLOWED, instead_of(&input.ty));
        return None;
    };
    if before.iter().any(|other| discriminant(other) == discriminant(&parameter)) {
        let what = match parameter {
            Parameter::Count(..) => "count",
            Parameter::TimeControl(_) => "`&mut TimeControl`",
        };
        errors.at(
            input,
            format_args!("a benchmark takes one {what}, and this is another"),
            "leave this one out",
        );
        return None;
    }
    if let Some(lifetime) = static_lifetime(&input.ty) {
        errors.at(lifetime, "the `TimeControl` lives for one call only", "write `&mut TimeControl`");
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

fn classify(ty: &Type) -> Option<Parameter> {
    match bare(ty) {
        Type::Path(path) => CountType::of(path).map(|of| Parameter::Count(of, ty.clone())),
        Type::Reference(TypeReference { mutability: Some(_), elem, .. }) if is_time_control(elem) => {
            Some(Parameter::TimeControl(ty.clone()))
        }
        _ => None,
    }
}

/// What to write for a type that is none of a benchmark's.
fn instead_of(ty: &Type) -> &'static str {
    const NUMBERS: [&str; 11] =
        ["u8", "u16", "u128", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];
    let value = match bare(ty) {
        Type::Reference(reference) => bare(&reference.elem),
        value => value,
    };
    match value {
        _ if is_time_control(value) => "write `&mut TimeControl`",
        Type::Path(path) if CountType::of(path).is_some() => {
            "leave out the `&`: the count is passed by value"
        }
        Type::Path(path) if NUMBERS.iter().any(|number| is_named(path, number)) => {
            "write `u64` if this is to be the count"
        }
        _ => {
            "make the value in the function; with `tc: &mut TimeControl`, \
             what is between `tc.pause()` and `tc.resume()` is not timed"
        }
    }
}

fn is_time_control(ty: &Type) -> bool {
    matches!(bare(ty), Type::Path(path) if is_named(path, "TimeControl"))
}

/// Whether the last segment of `path` is `name`, without arguments.
fn is_named(path: &TypePath, name: &str) -> bool {
    let last = path.path.segments.last();
    path.qself.is_none() && last.is_some_and(|last| last.ident == name && last.arguments.is_none())
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
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
    }
}
