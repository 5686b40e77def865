//! Parses and checks the values of options.

use crate::errors::error;
use crate::option_spec::OptionSpec;
use crate::suggestions::closest;
use crate::tokens::copy;
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::fmt::Display;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::token::Brace;
use syn::{Expr, ExprGroup, ExprLit, ExprUnary, Lit, LitStr, Path, Stmt, StmtMacro, Type, UnOp};

/// The limit of `unroll`: each call is compiled.
const MAX_UNROLL: usize = 1_000;

/// Returns a string literal.
pub(crate) fn string(value: &Expr) -> Option<&LitStr> {
    match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

/// Returns the name of a benchmark.
pub(crate) fn name(value: &Expr) -> syn::Result<LitStr> {
    label("a name", "write `name = \"..\"`", "remove `name` to use the name of the function", value)
}

/// Returns the value of the option `key`: a name, called `noun` in errors.
pub(crate) fn label_of(noun: &str, key: &str, value: &Expr) -> syn::Result<LitStr> {
    let example = format!("write `{key} = \"..\"`");
    label(noun, example, format_args!("write some text, or remove `{key}`"), value)
}

/// Returns a string literal that can be part of ids, filters and tables.
pub(crate) fn label(
    noun: &str,
    fix_of_type: impl Display,
    fix_of_empty: impl Display,
    value: &Expr,
) -> syn::Result<LitStr> {
    let Some(name) = string(value) else {
        return Err(error(value, format_args!("{noun} must be a string literal"), fix_of_type));
    };
    let text = name.value();
    let (problem, fix) = if text.is_empty() {
        (format!("{noun} can't be empty"), fix_of_empty.to_string())
    } else if text.chars().any(char::is_control) {
        (format!("{noun} can't contain control characters"), "use a space instead".to_owned())
    } else if text.trim() != text {
        (format!("{noun} can't start or end with whitespace"), "remove the whitespace".to_owned())
    } else {
        return Ok(copy(name));
    };
    Err(error(name, problem, fix))
}

/// Returns the index of the value among the words that the option `key` accepts.
pub(crate) fn one_of<const N: usize>(
    key: &str,
    words: [&'static str; N],
    value: &Expr,
) -> syn::Result<usize> {
    let text = string(value).map(LitStr::value);
    if let Some(index) = words.iter().position(|word| text.as_deref() == Some(word)) {
        return Ok(index);
    }
    let all = words.map(|word| format!("`\"{word}\"`")).join(", ");
    let fix = match text.and_then(|text| closest(&text, words)) {
        Some(word) => format!("did you mean `{key} = \"{word}\"`?"),
        None => format!("write e.g. `{key} = \"{}\"`", words[0]),
    };
    Err(error(value, format_args!("`{key}` must be one of {all}"), fix))
}

/// Returns the elements of an array expression.
pub(crate) fn elements(value: &Expr) -> Option<Vec<&Expr>> {
    match bare(value) {
        Expr::Array(array) => Some(array.elems.iter().collect()),
        _ => None,
    }
}

pub(crate) fn empty_list(tokens: impl ToTokens, example: &str) -> syn::Error {
    error(tokens, "this list is empty", format_args!("write e.g. `{example}`"))
}

/// Parses the path of a module or a function.
pub(crate) fn path(key: &str, example: &str, input: ParseStream) -> syn::Result<Path> {
    if let Ok(Lit::Str(path)) = input.fork().parse() {
        let fix = format!("remove the quotes: `{key} = {}`", path.value());
        return Err(error(path, format_args!("`{key}` must be a path"), fix));
    }
    let start = input.fork();
    input
        .call(Path::parse_mod_style)
        .map_err(|_| start.error(format_args!("`{key}` must be a path\nwrite e.g. `{key} = {example}`")))
}

/// Returns the number of calls in an iteration.
pub(crate) fn unroll(value: Expr) -> syn::Result<usize> {
    let number = match bare(&value) {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) if literal.suffix().is_empty() => {
            literal.base10_parse().ok()
        }
        _ => None,
    };
    number.filter(|number| (1..=MAX_UNROLL).contains(number)).ok_or_else(|| {
        let problem = format!("`unroll` must be a whole number from 1 to {MAX_UNROLL}");
        error(&value, problem, "write a literal without a suffix: `unroll = 10`")
    })
}

/// Returns `true` or `false`.
pub(crate) fn flag(key: &str, value: Expr) -> syn::Result<bool> {
    match bare(&value) {
        Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => Ok(flag.value),
        _ => Err(error(
            value,
            format_args!("`{key}` must be `true` or `false`"),
            format_args!("write `{key} = true` or `{key} = false`"),
        )),
    }
}

/// Returns a percentage as a share: a literal, or a constant expression of type `f64`.
pub(crate) fn percentage(option: &OptionSpec, allows_zero: bool, value: &Expr) -> syn::Result<TokenStream> {
    let OptionSpec { name, example, .. } = option;
    let (range, comparison) =
        if allows_zero { ("of at least 0", quote!(>=)) } else { ("above 0", quote!(>)) };
    let requirement = format!("`{name}` must be a percentage {range}");
    let number = match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse::<f64>(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse(),
        Expr::Lit(_) | Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => Ok(f64::NAN),
        // The comparison is false for NaN.
        value => {
            return Ok(quote_spanned! {Span::mixed_site().located_at(value.span())=>
                { let percent: ::core::primitive::f64 = #value; ::core::assert!(percent #comparison 0.0, #requirement); percent / 100.0 }
            });
        }
    };
    match number {
        Ok(number) if number.is_finite() && (number > 0.0 || (allows_zero && number == 0.0)) => {
            let mut number = Literal::f64_unsuffixed(number / 100.0);
            number.set_span(value.span());
            Ok(number.into_token_stream())
        }
        _ => Err(error(value, requirement, format_args!("write e.g. `{example}`"))),
    }
}

/// Returns a duration in ns: as an expression, and as a number unless the compiler computes it.
pub(crate) fn duration(key: &str, value: &Expr) -> syn::Result<(TokenStream, Option<u64>)> {
    let requirement = format!("`{key}` must be a duration of at least 1 ns");
    let limit = format!("`{key}` must be a duration of at most 584 years");
    let literal = match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => nanoseconds(&text.value()),
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => {
            nanoseconds(number.base10_digits())
        }
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) if number.suffix().is_empty() => {
            nanoseconds(number.base10_digits())
        }
        Expr::Lit(_) | Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => None,
        computed => {
            let nanoseconds = quote_spanned! {Span::mixed_site().located_at(computed.span())=>
                {
                    let duration: ::core::time::Duration = #computed;
                    ::core::assert!(!duration.is_zero(), #requirement);
                    let longest = ::core::time::Duration::from_nanos(::core::primitive::u64::MAX);
                    ::core::assert!(duration.as_nanos() <= longest.as_nanos(), #limit);
                    duration.as_nanos() as ::core::primitive::u64
                }
            };
            return Ok((nanoseconds, None));
        }
    };
    let nanoseconds = literal.ok_or_else(|| {
        let fix = "write e.g. `\"1ms\"`, with `ns`, `us`, `ms`, `s`, `m` or `h`; or a number of seconds; \
                   or a constant of type `Duration`";
        error(value, requirement, fix)
    })?;
    Ok((nanoseconds.into_token_stream(), Some(nanoseconds)))
}

/// Reads `500ms`, `1m 30s`, and a number of seconds, as the flags of `cargo nanobench` do.
fn nanoseconds(text: &str) -> Option<u64> {
    let mut sum = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let is_in_number = |letter: char| letter.is_ascii_digit() || ['.', '_'].contains(&letter);
        let (number, after) = rest.split_at(rest.find(|c| !is_in_number(c)).unwrap_or(rest.len()));
        let after = after.trim_start();
        let (unit, next) = after.split_at(after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len()));
        let unit = match unit {
            "ns" => 1.0,
            "us" | "\u{b5}s" | "\u{3bc}s" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            "m" => 60e9,
            "h" => 3_600e9,
            "" if rest == text && next.is_empty() => 1e9,
            _ => return None,
        };
        sum += number.replace('_', "").parse::<f64>().ok()? * unit;
        rest = next.trim_start();
    }
    let nanoseconds = sum.round();
    (1.0..u64::MAX as f64).contains(&nanoseconds).then_some(nanoseconds as u64)
}

/// Returns the expression without parentheses and the invisible group of an `$e:expr` in
/// `macro_rules!`.
pub(crate) fn bare(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => bare(&group.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        value => value,
    }
}

/// Returns the expression without outer parentheses and braces, which would cause warnings in the
/// emitted code. Braces that may be needed get a span of the macro instead: the compiler doesn't
/// warn about those.
pub(crate) fn unwrapped(value: Expr) -> Expr {
    match value {
        Expr::Group(group) => Expr::Group(ExprGroup { expr: Box::new(unwrapped(*group.expr)), ..group }),
        Expr::Paren(paren) if paren.attrs.is_empty() => unwrapped(*paren.expr),
        Expr::Block(mut outer) if outer.attrs.is_empty() && outer.label.is_none() => {
            match &outer.block.stmts[..] {
                [Stmt::Expr(value, None)] if !begins_with_attribute(value) => unwrapped(copy(value)),
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

/// Returns whether the expression starts with an attribute, which is valid only on a statement. In
/// `#[allow(..)] f(3)`, the parser may attach it to the path, so only the first token is reliable.
fn begins_with_attribute(value: &Expr) -> bool {
    matches!(value.to_token_stream().into_iter().next(), Some(TokenTree::Punct(first)) if first.as_char() == '#')
}

/// Returns the type without parentheses.
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
    fn durations() {
        let durations = [
            ("1ns", 1),
            ("0.5ns", 1),
            ("250us", 250_000),
            ("250 µs", 250_000),
            ("250\u{3bc}s", 250_000),
            ("1_500us", 1_500_000),
            ("1.5ms", 1_500_000),
            (".25s", 250_000_000),
            ("60s", 60_000_000_000),
            ("1.5m", 90_000_000_000),
            ("1m 30s", 90_000_000_000),
            ("1h", 3_600_000_000_000),
            ("5", 5_000_000_000),
            ("0.5", 500_000_000),
        ];
        for (text, nanoseconds) in durations {
            assert_eq!(super::nanoseconds(text), Some(nanoseconds), "{text}");
        }
    }

    #[test]
    fn outer_parentheses_and_braces_are_removed() {
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
        for (written, expected) in values {
            let value = unwrapped(syn::parse_str(written).unwrap());
            assert_eq!(value.to_token_stream().to_string(), expected, "{written}");
        }
    }

    #[test]
    fn invalid_durations() {
        let texts =
            ["", "ms", "0ms", "0.4ns", "-1s", "+1s", "1e3s", "1min", "1.2.3s", ".s", "1s 5", "99999999999s"];
        for text in texts {
            assert_eq!(nanoseconds(text), None, "{text}");
        }
    }
}
