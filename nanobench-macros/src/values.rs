//! What may stand as the value of an option.

use crate::errors::error;
use crate::nearest::nearest;
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote_spanned};
use std::fmt::Display;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::token::Brace;
use syn::{Expr, ExprGroup, ExprLit, ExprUnary, Lit, LitStr, Path, Stmt, StmtMacro, Type, UnOp};

/// The most that `unroll` may ask for: code is compiled for each.
const MOST_UNROLLED: usize = 1_000;

/// A name ends up in ids, filters and tables, where a line break, a `::` or a blank at its end would mislead.
pub(crate) fn name(value: &Expr) -> syn::Result<LitStr> {
    let instead = "leave `name` out to have the function's own name";
    label("a name", "write `name = \"..\"`", instead, value)
}

/// The name of something else than a benchmark: `what` is that with its article, `key` the option.
pub(crate) fn label_of(what: &str, key: &str, value: &Expr) -> syn::Result<LitStr> {
    let written = format!("write `{key} = \"..\"`");
    label(what, written, format_args!("leave `{key}` out, or write what it is"), value)
}

/// A literal that can be a name: of `what`, how it is `written`, and what to do `without` one.
pub(crate) fn label(
    what: &str,
    written: impl Display,
    without: impl Display,
    value: &Expr,
) -> syn::Result<LitStr> {
    let Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) = bare(value) else {
        return Err(error(value, format_args!("{what} is a string literal"), written));
    };
    let text = name.value();
    let (wrong, instead) = if text.is_empty() {
        (format!("{what} can't be empty"), without.to_string())
    } else if text.contains("::") {
        (format!("`::` in {what} would read as a module"), "write e.g. `/` or `.` in its place".to_owned())
    } else if text.chars().any(char::is_control) {
        let wrong = format!("a control character in {what} would tear the table");
        (wrong, "write a space in its place".to_owned())
    } else if text.trim() != text {
        (format!("a blank at the start or the end of {what} can't be seen"), "leave it out".to_owned())
    } else {
        return Ok(name.clone());
    };
    Err(error(name, wrong, instead))
}

/// The index of the word that stands there, of those that may.
pub(crate) fn one_of<const N: usize>(
    key: &str,
    words: [&'static str; N],
    value: &Expr,
) -> syn::Result<usize> {
    let text = match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    };
    if let Some(index) = words.iter().position(|word| text.as_deref() == Some(word)) {
        return Ok(index);
    }
    let all = words.map(|word| format!("`\"{word}\"`")).join(", ");
    let instead = match text.and_then(|text| nearest(&text, words)) {
        Some(word) => format!("did you mean `{key} = \"{word}\"`?"),
        None => format!("write e.g. `{key} = \"{}\"`", words[0]),
    };
    Err(error(value, format_args!("`{key}` is one of {all}"), instead))
}

/// What stands between brackets: `[a, b]`.
pub(crate) fn elements(value: &Expr) -> Option<Vec<&Expr>> {
    match bare(value) {
        Expr::Array(array) => Some(array.elems.iter().collect()),
        _ => None,
    }
}

/// The path of a module or a function.
pub(crate) fn path(key: &str, example: &str, input: ParseStream) -> syn::Result<Path> {
    if let Ok(Lit::Str(path)) = input.fork().parse() {
        let instead = format!("write it without quotes: `{key} = {}`", path.value());
        return Err(error(path, format_args!("`{key}` is a path"), instead));
    }
    let start = input.fork();
    input
        .call(Path::parse_mod_style)
        .map_err(|_| start.error(format_args!("`{key}` is a path\nwrite e.g. `{key} = {example}`")))
}

/// How often the call stands in an iteration.
pub(crate) fn unroll(value: Expr) -> syn::Result<usize> {
    let number = match bare(&value) {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) if literal.suffix().is_empty() => {
            literal.base10_parse().ok()
        }
        _ => None,
    };
    number.filter(|number| (1..=MOST_UNROLLED).contains(number)).ok_or_else(|| {
        let wrong = "`unroll` is how often the call is written out in the loop that is timed";
        error(&value, wrong, "write a whole number from 1 to 1000, as it is: `unroll = 10`")
    })
}

/// `true` or `false`.
pub(crate) fn flag(key: &str, value: Expr) -> syn::Result<bool> {
    match bare(&value) {
        Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => Ok(flag.value),
        _ => Err(error(
            value,
            format_args!("`{key}` is a yes or a no"),
            format_args!("write `{key} = true` or `{key} = false`"),
        )),
    }
}

/// A share in percent: a literal, or a constant expression of type `f64`.
pub(crate) fn percent(key: &str, example: &str, value: &Expr) -> syn::Result<TokenStream> {
    let wrong = format!("`{key}` is a number of percent, 0 or more");
    let number = match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse::<f64>(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse(),
        Expr::Lit(_) | Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => Ok(f64::NAN),
        // A comparison with what is no number is false.
        value => {
            return Ok(quote_spanned! {Span::mixed_site().located_at(value.span())=>
                { let percent: ::core::primitive::f64 = #value; ::core::assert!(percent >= 0.0, #wrong); percent }
            });
        }
    };
    match number {
        Ok(number) if number >= 0.0 && number.is_finite() => {
            let mut number = Literal::f64_unsuffixed(number);
            number.set_span(value.span());
            Ok(number.into_token_stream())
        }
        _ => Err(error(value, wrong, format_args!("write e.g. `{example}`"))),
    }
}

/// A length of time, in ns.
pub(crate) fn duration(key: &str, value: Expr) -> syn::Result<u64> {
    let duration = match bare(&value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => nanoseconds(&text.value()),
        _ => None,
    };
    duration.ok_or_else(|| {
        let wrong = format!("`{key}` is a length of time, at least 1 ns");
        let instead = format!("write a number and `ns`, `us`, `ms` or `s`, in quotes: `{key} = \"1ms\"`");
        error(value, wrong, instead)
    })
}

fn nanoseconds(text: &str) -> Option<u64> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !['.', '_'].contains(&letter))?;
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim_start() {
        "ns" => 1.0,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    let nanoseconds = (number.replace('_', "").parse::<f64>().ok()? * unit).round();
    (1.0..u64::MAX as f64).contains(&nanoseconds).then_some(nanoseconds as u64)
}

/// The expression without parentheses, and without the invisible ones around an `$e:expr` of `macro_rules!`.
pub(crate) fn bare(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => bare(&group.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        value => value,
    }
}

/// The expression without the parentheses and braces around all of it, which the compiler would warn of where it stands in what is
/// emitted. Braces stay around what may need them, with a span of the macro's: the compiler doesn't warn of those.
pub(crate) fn unwrapped(value: Expr) -> Expr {
    match value {
        Expr::Group(group) => Expr::Group(ExprGroup { expr: Box::new(unwrapped(*group.expr)), ..group }),
        Expr::Paren(paren) if paren.attrs.is_empty() => unwrapped(*paren.expr),
        Expr::Block(mut outer) if outer.attrs.is_empty() && outer.label.is_none() => {
            match &outer.block.stmts[..] {
                [Stmt::Expr(value, None)] if !begins_with_attribute(value) => unwrapped(value.clone()),
                [Stmt::Expr(_, None) | Stmt::Macro(StmtMacro { semi_token: None, .. })] => {
                    let braces = outer.block.brace_token.span.join();
                    outer.block.brace_token = Brace(Span::mixed_site().located_at(braces));
                    Expr::Block(outer)
                }
                _ => Expr::Block(outer),
            }
        }
        value => value,
    }
}

/// An attribute on an expression is an error, one on a statement is none. That of `#[allow(..)] f(3)` may be the path's, for the parser.
fn begins_with_attribute(value: &Expr) -> bool {
    matches!(value.to_token_stream().into_iter().next(), Some(TokenTree::Punct(first)) if first.as_char() == '#')
}

/// The type without the parentheses around it.
pub(crate) fn unwrapped_type(ty: Type) -> Type {
    match ty {
        Type::Paren(paren) => unwrapped_type(*paren.elem),
        ty => ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time() {
        let lengths = [
            ("1ns", 1),
            ("0.5ns", 1),
            ("250us", 250_000),
            ("250 µs", 250_000),
            ("250\u{3bc}s", 250_000),
            ("1_500us", 1_500_000),
            ("1.5ms", 1_500_000),
            (".25s", 250_000_000),
            ("60s", 60_000_000_000),
        ];
        for (text, nanoseconds) in lengths {
            assert_eq!(super::nanoseconds(text), Some(nanoseconds), "{text}");
        }
    }

    #[test]
    fn what_stands_around_a_value_is_taken_off() {
        let values = [
            ("((0..3))", "0 .. 3"),
            ("{ ({ SIZE }) }", "SIZE"),
            ("[(1), (2)]", "[(1) , (2)]"),
            ("{ let n = 5; n }", "{ let n = 5 ; n }"),
            ("{ f(); }", "{ f () ; }"),
            ("{}", "{ }"),
            ("'a: { 5 }", "'a : { 5 }"),
            ("unsafe { f() }", "unsafe { f () }"),
            ("({ #[allow(x)] (3) })", "{ # [allow (x)] (3) }"),
            ("{ #[allow(x)] 3 * 1 }", "{ # [allow (x)] 3 * 1 }"),
            ("{ { #[allow(x)] { 3 } } }", "{ # [allow (x)] { 3 } }"),
            ("{ statements! { 3 } }", "{ statements ! { 3 } }"),
        ];
        for (written, left) in values {
            let value = unwrapped(syn::parse_str(written).unwrap());
            assert_eq!(value.to_token_stream().to_string(), left, "{written}");
        }
    }

    #[test]
    fn what_is_no_length_of_time() {
        let texts = [
            "",
            "5",
            "ms",
            "0ms",
            "0.4ns",
            "-1s",
            "+1s",
            "1e3s",
            "1m",
            "1.2.3s",
            ".s",
            "1 ms ",
            "99999999999s",
        ];
        for text in texts {
            assert_eq!(nanoseconds(text), None, "{text}");
        }
    }
}
