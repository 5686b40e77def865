//! The options in the attribute: `#[nanobench(count = 1_000, name = "short keys")]`.

use crate::callable;
use crate::errors::{Errors, error};
use crate::nearest::nearest;
use crate::settings::Settings;
use crate::values;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, Ident, Lit, LitStr, Path, Token};

/// Each option and how it is written.
const OPTIONS: [(&str, &str); 11] = [
    ("count", "count = 1_000"),
    ("setup", "setup = || vec![1, 2, 3]"),
    ("unroll", "unroll = 10"),
    ("name", "name = \"short keys\""),
    ("reset", "reset = || CACHE.clear()"),
    ("samples", "samples = 30"),
    ("sample_time", "sample_time = \"1ms\""),
    ("iterations", "iterations = 1_000"),
    ("warmup", "warmup = 3"),
    ("prime", "prime = false"),
    ("crate", "crate = path::to::nanobench"),
];

/// What the attribute says.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) count: Option<Given<Expr>>,
    /// Makes the input of a call.
    pub(crate) setup: Option<Given<Expr>>,
    /// How often the call stands in an iteration.
    pub(crate) unroll: Option<Given<usize>>,
    pub(crate) name: Option<Given<LitStr>>,
    pub(crate) settings: Settings,
    /// Where to find nanobench.
    pub(crate) krate: Option<Given<Path>>,
}

/// `key = value`.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
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
    options.settings.check(errors);
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
        self.parse_value(key, input)?;
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            return Err(input.error("this belongs to no option\nwrite a `,` between two options"));
        }
        Ok(())
    }

    fn parse_value(&mut self, key: Ident, input: ParseStream) -> syn::Result<()> {
        if key == "crate" {
            return once(&mut self.krate, key, values::path(input)?);
        }
        let value = input.parse()?;
        match key.to_string().as_str() {
            "count" => once(&mut self.count, key, value),
            "setup" => {
                // It is given, even if it is wrong: the function's parameter has where to come from.
                let checked = callable::check_setup(&value);
                once(&mut self.setup, key, value).and(checked)
            }
            "unroll" => once(&mut self.unroll, key, values::unroll(value)?),
            "name" => once(&mut self.name, key, values::name(value)?),
            _ => self.settings.add(key, value),
        }
    }
}

/// Notes an option, the first time.
pub(crate) fn once<T>(option: &mut Option<Given<T>>, key: Ident, value: T) -> syn::Result<()> {
    if option.is_some() {
        return Err(error(&key, format_args!("`{key}` is given twice"), "leave one of them out"));
    }
    *option = Some(Given { key, value });
    Ok(())
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
    let names = OPTIONS.map(|(name, _)| format!("`{name}`"));
    format!("the options are {}", names.join(", "))
}
