//! The option `context(key = "value", other = 5)`, which is stored with the results.

use crate::errors::error;
use crate::values::{bare, empty_list};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Expr, ExprLit, ExprUnary, Ident, Lit, Token, UnOp, parenthesized, token};

const EXAMPLE: &str = "context(input = \"random\", seed = 5)";

/// Parses the list after `context` and returns the value of its field.
pub(crate) fn parse(option: &Ident, input: ParseStream) -> syn::Result<TokenStream> {
    if !input.peek(token::Paren) {
        let problem = "`context` takes a list of keys and values in parentheses";
        return Err(error(option, problem, format_args!("write e.g. `{EXAMPLE}`")));
    }
    let list;
    parenthesized!(list in input);
    let parsed = parse_pairs(&list);
    // Tokens left after an error would be reported as a second one.
    list.parse::<TokenStream>()?;
    let pairs = parsed?;
    if pairs.is_empty() {
        return Err(empty_list(option, EXAMPLE));
    }
    let pairs = pairs.into_iter().map(|(key, value)| {
        let key = key.unraw().to_string();
        quote!((#key, #value))
    });
    Ok(quote!(&[#(#pairs),*]))
}

fn parse_pairs(list: ParseStream) -> syn::Result<Vec<(Ident, String)>> {
    let mut pairs: Vec<(Ident, String)> = Vec::new();
    while !list.is_empty() {
        let key = list
            .call(Ident::parse_any)
            .map_err(|_| list.error(format_args!("expected a key\nwrite e.g. `{EXAMPLE}`")))?;
        if pairs.iter().any(|(other, _)| *other == key) {
            return Err(error(&key, format_args!("the key `{key}` is set twice"), "remove one of them"));
        }
        if list.parse::<Token![=]>().is_err() || list.is_empty() || list.peek(Token![,]) {
            let fix = format!("write e.g. `{key} = \"value\"`");
            return Err(error(&key, format_args!("the key `{key}` has no value"), fix));
        }
        let value: Expr = list.parse()?;
        pairs.push((key, text(&value)?));
        if !list.is_empty() && list.parse::<Token![,]>().is_err() {
            return Err(list.error("expected `,`\nwrite a `,` between two keys"));
        }
    }
    Ok(pairs)
}

/// Returns a literal as text.
fn text(value: &Expr) -> syn::Result<String> {
    let text = match bare(value) {
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match bare(expr) {
            Expr::Lit(ExprLit { lit: lit @ (Lit::Int(_) | Lit::Float(_)), .. }) => {
                literal_text(lit).map(|number| format!("-{number}"))
            }
            _ => None,
        },
        Expr::Lit(ExprLit { lit, .. }) => literal_text(lit),
        _ => None,
    };
    text.ok_or_else(|| {
        let problem = "a value in `context` must be a literal: a string, a number, `true` or `false`";
        let fix = "for a value known only at run time, pass `--context key=value` to `cargo nanobench`";
        error(value, problem, fix)
    })
}

fn literal_text(literal: &Lit) -> Option<String> {
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
    fn literals_become_text() {
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
