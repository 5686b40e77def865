//! Whole numbers as values of options. Literals are checked here, and all else by the compiler.

use crate::errors::error;
use crate::values::bare;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitInt, Type, UnOp, parse_quote};

/// The types that a number may have.
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

    /// The largest number of this type on any target.
    fn max(self) -> u64 {
        match self {
            Integer::U32 => u32::MAX.into(),
            Integer::U64 | Integer::Usize => u64::MAX,
        }
    }

    /// Only the compiler knows the target's `usize`.
    fn holds_everywhere(self, number: u64) -> bool {
        !matches!(self, Integer::Usize) || number <= u32::MAX.into()
    }
}

/// What a number is for.
pub(crate) struct Meaning {
    /// Said of anything that can't be this number.
    pub(crate) is: &'static str,
    pub(crate) example: &'static str,
    /// Who asks for the number's type.
    pub(crate) taken: &'static str,
    pub(crate) least: u64,
}

impl Meaning {
    /// What is said of a value that can't be this number.
    fn error(&self, value: &Expr) -> syn::Error {
        let Meaning { is, example, least, .. } = self;
        error(value, is, format_args!("write a whole number from {least}: `{example}`"))
    }
}

/// A whole number, as a `u64`: a literal, or what the compiler makes of an expression.
pub(crate) struct Number(TokenStream);

impl Number {
    /// A number of type `u64`.
    pub(crate) fn new(value: Expr, meaning: &Meaning) -> syn::Result<Number> {
        Number::of_type(value, Integer::U64, &parse_quote!(::core::primitive::u64), meaning)
    }

    /// A number of type `integer`, which is written `ty`.
    pub(crate) fn of_type(
        value: Expr,
        integer: Integer,
        ty: &Type,
        meaning: &Meaning,
    ) -> syn::Result<Number> {
        let wrong = match bare(&value) {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => {
                let number = parse(literal, integer, meaning)?;
                if number >= meaning.least && integer.holds_everywhere(number) {
                    let mut number = Literal::u64_unsuffixed(number);
                    number.set_span(literal.span());
                    return Ok(Number(number.into_token_stream()));
                }
                number < meaning.least
            }
            value => is_other_literal(value),
        };
        if wrong {
            return Err(meaning.error(&value));
        }
        Ok(Number(computed(&value, Some(ty), meaning)))
    }

    /// A literal as it stands, or what the compiler makes of an expression, of any integer type.
    ///
    /// Its sign and its being whole are checked with the comparison: there is none of a float with a whole number.
    pub(crate) fn of_any_type(value: &Expr, meaning: &Meaning) -> syn::Result<Number> {
        const FLOATS: [&str; 2] = ["f32", "f64"];
        let wrong = match bare(value) {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) if !FLOATS.contains(&literal.suffix()) => {
                let number: u64 = literal.base10_parse()?;
                if number >= meaning.least {
                    let mut number = Literal::u64_unsuffixed(number);
                    number.set_span(literal.span());
                    return Ok(Number(number.into_token_stream()));
                }
                true
            }
            value => is_other_literal(value),
        };
        if wrong {
            return Err(meaning.error(value));
        }
        Ok(Number(computed(value, None, meaning)))
    }
}

/// Whether this is a literal that is no whole number without a sign.
fn is_other_literal(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) => true,
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => matches!(bare(expr), Expr::Lit(_)),
        _ => false,
    }
}

/// The value of a literal, if it can be one of type `integer`.
fn parse(literal: &LitInt, integer: Integer, meaning: &Meaning) -> syn::Result<u64> {
    let (name, suffix, taken) = (integer.name(), literal.suffix(), meaning.taken);
    if !suffix.is_empty() && suffix != name {
        let wrong = format!("{taken} as `{name}`");
        return Err(error(literal, wrong, format_args!("write the number without `{suffix}`")));
    }
    let number = literal.base10_parse().ok().filter(|number| *number <= integer.max());
    number.ok_or_else(|| {
        let wrong = format!("{taken} as `{name}`, and this does not fit");
        error(literal, wrong, format_args!("write at most {}", integer.max()))
    })
}

/// What the compiler makes of `value`, of type `ty` if there is one, if it is enough.
fn computed(value: &Expr, ty: Option<&Type>, meaning: &Meaning) -> TokenStream {
    let number = Ident::new("nanobench_number", Span::mixed_site().located_at(value.span()));
    let check = (meaning.least > 0).then(|| {
        let message = format!("{}: at least {}", meaning.is, meaning.least);
        let least = Literal::u64_unsuffixed(meaning.least);
        quote_spanned! {Span::mixed_site().located_at(value.span())=>
            ::core::assert!(#number >= #least, #message);
        }
    });
    let ty = ty.iter();
    quote!({ let #number #(: #ty)* = #value; #check #number as ::core::primitive::u64 })
}

impl ToTokens for Number {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
