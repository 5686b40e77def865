//! The option `context(key = "value", other = 5)`: what is kept with the results.

use crate::errors::error;
use crate::values::bare;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Expr, ExprLit, ExprUnary, Ident, Lit, Token, UnOp, parenthesized, token};

const INSTEAD: &str = "write e.g. `context(input = \"random\", seed = 5)`";

/// Reads what follows `context`, as the value of its field.
pub(crate) fn parse(option: &Ident, input: ParseStream) -> syn::Result<TokenStream> {
    if !input.peek(token::Paren) {
        return Err(error(option, "`context` is a list of keys and values", INSTEAD));
    }
    let list;
    parenthesized!(list in input);
    let parsed = pairs(&list);
    // What is left after an error would be a second one.
    list.parse::<TokenStream>()?;
    let pairs = parsed?;
    if pairs.is_empty() {
        return Err(error(option, "there is nothing in this list", INSTEAD));
    }
    let pairs = pairs.into_iter().map(|(key, value)| {
        let key = key.unraw().to_string();
        quote!((#key, #value))
    });
    Ok(quote!(&[#(#pairs),*]))
}

fn pairs(list: ParseStream) -> syn::Result<Vec<(Ident, String)>> {
    let mut pairs: Vec<(Ident, String)> = Vec::new();
    while !list.is_empty() {
        let key =
            list.call(Ident::parse_any).map_err(|_| list.error(format_args!("this is no key\n{INSTEAD}")))?;
        if pairs.iter().any(|(other, _)| *other == key) {
            return Err(error(&key, format_args!("`{key}` is given twice"), "leave one of them out"));
        }
        if list.parse::<Token![=]>().is_err() || list.is_empty() || list.peek(Token![,]) {
            let instead = format!("write e.g. `{key} = \"value\"`");
            return Err(error(&key, format_args!("`{key}` has no value"), instead));
        }
        let value: Expr = list.parse()?;
        pairs.push((key, text(&value)?));
        if !list.is_empty() && list.parse::<Token![,]>().is_err() {
            return Err(list.error("this belongs to no key\nwrite a `,` between two of them"));
        }
    }
    Ok(pairs)
}

/// The value as it is shown.
fn text(value: &Expr) -> syn::Result<String> {
    let text = match bare(value) {
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match bare(expr) {
            Expr::Lit(ExprLit { lit: lit @ (Lit::Int(_) | Lit::Float(_)), .. }) => {
                literal(lit).map(|number| format!("-{number}"))
            }
            _ => None,
        },
        Expr::Lit(ExprLit { lit, .. }) => literal(lit),
        _ => None,
    };
    text.ok_or_else(|| {
        let wrong = "a value of `context` is a literal: a text, a number, `true` or `false`";
        error(value, wrong, "for what is known only when it runs: `cargo nanobench --context key=value`")
    })
}

fn literal(literal: &Lit) -> Option<String> {
    Some(match literal {
        Lit::Str(text) => text.value(),
        Lit::Char(letter) => letter.value().to_string(),
        Lit::Byte(byte) => byte.value().to_string(),
        Lit::Int(number) => number.base10_digits().to_owned(),
        Lit::Float(number) => number.base10_parse::<f64>().ok()?.to_string(),
        Lit::Bool(flag) => flag.value.to_string(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn values_are_shown_as_they_display() {
        let values: [(Expr, Option<&str>); 9] = [
            (parse_quote!("a b"), Some("a b")),
            (parse_quote!('x'), Some("x")),
            (parse_quote!(1_000u64), Some("1000")),
            (parse_quote!(0x10), Some("16")),
            (parse_quote!(-2.50), Some("-2.5")),
            (parse_quote!(true), Some("true")),
            (parse_quote!(b"x"), None),
            (parse_quote!(SIZE), None),
            (parse_quote!(!5), None),
        ];
        for (value, text) in values {
            assert_eq!(super::text(&value).ok().as_deref(), text, "{}", quote!(#value));
        }
    }
}
