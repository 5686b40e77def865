//! Whole numbers as values of options. Literals are checked here, all other expressions by the
//! compiler.

use crate::errors::error;
use crate::hygiene::local;
use crate::option_spec::OptionSpec;
use crate::values::bare;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitInt, Type, UnOp, parse_quote};

/// The integer types of counts.
#[derive(Clone, Copy)]
pub(crate) enum Integer {
    U64,
    U32,
    Usize,
}

impl Integer {
    pub(crate) const ALL: [Self; 3] = [Integer::U64, Integer::U32, Integer::Usize];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Integer::U64 => "u64",
            Integer::U32 => "u32",
            Integer::Usize => "usize",
        }
    }

    /// Returns the largest number of this type on any target.
    fn max(self) -> u64 {
        match self {
            Integer::U32 => u32::MAX.into(),
            Integer::U64 | Integer::Usize => u64::MAX,
        }
    }

    /// Returns whether the number fits on every target: only the compiler knows the target's
    /// `usize`.
    fn fits_everywhere(self, number: u64) -> bool {
        !matches!(self, Integer::Usize) || number <= u32::MAX.into()
    }
}

fn requirement(option: &OptionSpec) -> String {
    let range = if option.min() > 0 { format!(" of at least {}", option.min()) } else { String::new() };
    format!("`{}` must be a whole number{range}", option.name)
}

fn not_a_number(option: &OptionSpec, value: &Expr) -> syn::Error {
    let OptionSpec { name, meaning, example, .. } = option;
    // The example of some options is a closure.
    let example = if example.contains('|') { format!("{name} = 1_024") } else { (*example).to_owned() };
    error(value, requirement(option), format_args!("write {meaning}: `{example}`"))
}

/// A whole number, as an expression of type `u64`.
pub(crate) struct Number(TokenStream);

impl Number {
    /// Returns a number of type `u64`.
    pub(crate) fn new(value: Expr, spec: &OptionSpec) -> syn::Result<Number> {
        Number::of_type(value, Integer::U64, &parse_quote!(::core::primitive::u64), spec)
    }

    /// Returns a number of type `integer`, which is written `ty`.
    pub(crate) fn of_type(
        value: Expr,
        integer: Integer,
        ty: &Type,
        spec: &OptionSpec,
    ) -> syn::Result<Number> {
        match bare(&value) {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => {
                let number = parse(literal, integer, spec)?;
                if number < spec.min() {
                    return Err(not_a_number(spec, &value));
                }
                if integer.fits_everywhere(number) {
                    return Ok(Number::literal(number, literal));
                }
            }
            other if is_literal(other) => return Err(not_a_number(spec, &value)),
            _ => {}
        }
        Ok(Number::computed(&value, Some(ty), spec))
    }

    /// Returns a number of any integer type.
    ///
    /// The emitted comparison rejects floats: they can't be compared with whole numbers.
    pub(crate) fn of_any_type(value: &Expr, spec: &OptionSpec) -> syn::Result<Number> {
        match bare(value) {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. })
                if !["f32", "f64"].contains(&literal.suffix()) =>
            {
                let number: u64 = literal.base10_parse()?;
                match number >= spec.min() {
                    true => Ok(Number::literal(number, literal)),
                    false => Err(not_a_number(spec, value)),
                }
            }
            other if is_literal(other) => Err(not_a_number(spec, value)),
            _ => Ok(Number::computed(value, None, spec)),
        }
    }

    fn literal(number: u64, written: &LitInt) -> Number {
        let mut literal = Literal::u64_unsuffixed(number);
        literal.set_span(written.span());
        Number(literal.into_token_stream())
    }

    /// Returns an expression that the compiler evaluates and checks.
    fn computed(value: &Expr, ty: Option<&Type>, spec: &OptionSpec) -> Number {
        let number = local("nanobench_number", value.span());
        let check = (spec.min() > 0).then(|| {
            let (min, message) = (Literal::u64_unsuffixed(spec.min()), requirement(spec));
            quote_spanned! {Span::mixed_site().located_at(value.span())=>
                ::core::assert!(#number >= #min, #message);
            }
        });
        let ty = ty.iter();
        Number(quote!({ let #number #(: #ty)* = #value; #check #number as ::core::primitive::u64 }))
    }
}

/// Returns whether this is a literal, possibly negative.
fn is_literal(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) => true,
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => matches!(bare(expr), Expr::Lit(_)),
        _ => false,
    }
}

/// Returns the value of a literal, if it has the type `integer`.
fn parse(literal: &LitInt, integer: Integer, spec: &OptionSpec) -> syn::Result<u64> {
    let (option, ty, suffix) = (spec.name, integer.name(), literal.suffix());
    if !suffix.is_empty() && suffix != ty {
        let problem = format!("`{option}` must be a `{ty}`, not `{suffix}`");
        return Err(error(literal, problem, format_args!("remove the suffix `{suffix}`")));
    }
    let number = literal.base10_parse().ok().filter(|number| *number <= integer.max());
    number.ok_or_else(|| {
        let problem = format!("this number is too large for `{option}`, a `{ty}`");
        error(literal, problem, format_args!("write at most {}", integer.max()))
    })
}

impl ToTokens for Number {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
