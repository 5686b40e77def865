//! The options in the attribute: `#[nanobench(count = 1_000, name = "short keys")]`.

use crate::errors::{Errors, error};
use crate::nearest::nearest;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Path, Token};

/// Each option and how it is written.
const OPTIONS: [(&str, &str); 3] =
    [("count", "count = 1_000"), ("name", "name = \"short keys\""), ("crate", "crate = path::to::nanobench")];

/// What the attribute says.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) count: Option<CountOption>,
    pub(crate) name: Option<LitStr>,
    /// Where to find nanobench.
    pub(crate) krate: Option<Path>,
}

/// `count = value`.
pub(crate) struct CountOption {
    pub(crate) key: Ident,
    pub(crate) value: Expr,
}

/// Reads the options. What is wrong with one doesn't hide what is wrong with the next.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Options {
    let mut options = Options::default();
    let all = |input: ParseStream| {
        while !input.is_empty() {
            if let Err(error) = options.parse_one(input) {
                errors.push(error);
                skip_to_next(input)?;
            }
        }
        Ok(())
    };
    if let Err(error) = all.parse2(tokens) {
        errors.push(error);
    }
    options
}

impl Options {
    /// Reads `key = value` and the comma after it.
    fn parse_one(&mut self, input: ParseStream) -> syn::Result<()> {
        let (key, example) = parse_key(input)?;
        let ahead = input.fork();
        if ahead.parse::<Token![=]>().is_err() || ahead.is_empty() || ahead.peek(Token![,]) {
            let wrong = format_args!("`{key}` has no value");
            return Err(error(&key, wrong, format_args!("write `{example}`")));
        }
        input.parse::<Token![=]>()?;
        if key == "count" {
            let value = input.parse()?;
            once(&mut self.count, &key.clone(), CountOption { key, value })?;
        } else if key == "name" {
            once(&mut self.name, &key, parse_name(input)?)?;
        } else {
            once(&mut self.krate, &key, parse_path(input)?)?;
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            return Err(input.error("this belongs to no option\nwrite a `,` between two options"));
        }
        Ok(())
    }
}

fn once<T>(option: &mut Option<T>, key: &Ident, value: T) -> syn::Result<()> {
    match option.replace(value) {
        None => Ok(()),
        Some(_) => Err(error(key, format_args!("`{key}` is given twice"), "leave one of them out")),
    }
}

fn skip_to_next(input: ParseStream) -> syn::Result<()> {
    while !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// The name of an option, and how that option is written.
fn parse_key(input: ParseStream) -> syn::Result<(Ident, &'static str)> {
    if let Ok(literal) = input.fork().parse::<Lit>() {
        let option = if matches!(literal, Lit::Str(_)) { "name" } else { "count" };
        let instead = format_args!("write `#[nanobench({option} = {})]`", literal.to_token_stream());
        return Err(error(&literal, "this value belongs to no option", instead));
    }
    let Ok(key) = input.call(Ident::parse_any) else {
        return Err(input.error(format_args!("this is no option\n{}", all_options())));
    };
    if let Some((_, example)) = OPTIONS.iter().find(|(name, _)| key == name) {
        return Ok((key, example));
    }
    let instead = if key == "ignore" {
        "write `#[ignore]`, an attribute of its own, below this one".to_owned()
    } else if let Some(name) = nearest(&key.to_string(), OPTIONS.map(|(name, _)| name)) {
        format!("did you mean `{name}`? {}", all_options())
    } else {
        all_options()
    };
    Err(error(&key, format_args!("there is no option `{key}`"), instead))
}

fn all_options() -> String {
    let examples = OPTIONS.map(|(_, example)| format!("`{example}`"));
    format!("the options are {}", examples.join(", "))
}

/// A name ends up in ids, filters and tables, where a line break, a `::` or a blank at its end would mislead.
fn parse_name(input: ParseStream) -> syn::Result<LitStr> {
    let value: Expr = input.parse()?;
    let Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) = bare(&value) else {
        return Err(error(value, "a name is a string literal", "write `name = \"..\"`"));
    };
    let text = name.value();
    let (wrong, instead) = if text.is_empty() {
        ("a name can't be empty", "leave `name` out to have the function's own name")
    } else if text.contains("::") {
        ("`::` in a name would read as a module", "write e.g. `/` or `.` in its place")
    } else if text.chars().any(char::is_control) {
        ("a control character in a name would tear the table", "write a space in its place")
    } else if text.trim() != text {
        ("a blank at the start or the end of a name can't be seen", "leave it out")
    } else {
        return Ok(name.clone());
    };
    Err(error(name, wrong, instead))
}

fn parse_path(input: ParseStream) -> syn::Result<Path> {
    if let Ok(Lit::Str(path)) = input.fork().parse() {
        let instead = format!("write it without quotes: `crate = {}`", path.value());
        return Err(error(path, "`crate` is a path", instead));
    }
    let start = input.fork();
    input
        .call(Path::parse_mod_style)
        .map_err(|_| start.error("`crate` is a path\nwrite e.g. `crate = path::to::nanobench`"))
}

/// The expression without parentheses, and without the invisible ones around an `$e:expr` of `macro_rules!`.
pub(crate) fn bare(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => bare(&group.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        value => value,
    }
}
