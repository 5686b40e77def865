//! Parses the options of the attribute: `#[nanobench(count = 1_000, name = "short keys")]`.

use crate::errors::{Errors, error};
use crate::key_value::{KeyValue, once, set_twice};
use crate::option_spec::{OptionSpec, Target};
use crate::rows::Rows;
use crate::runtime::Runtime;
use crate::settings::Settings;
use crate::state::State;
use crate::suggestions;
use crate::throughput::Throughput;
use crate::tokens::with_parentheses;
use crate::values;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, Ident, Lit, LitStr, Path, Token};

/// The options of a function or module.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) count: Option<KeyValue<Expr>>,
    /// True if the function measures its own time.
    pub(crate) manual: Option<KeyValue<bool>>,
    /// The number of calls in an iteration.
    pub(crate) unroll: Option<KeyValue<usize>>,
    pub(crate) name: Option<KeyValue<LitStr>>,
    pub(crate) runtime: Option<KeyValue<Runtime>>,
    pub(crate) rows: Rows,
    pub(crate) state: State,
    pub(crate) throughput: Throughput,
    pub(crate) settings: Settings,
    /// The path of nanobench.
    pub(crate) krate: Option<KeyValue<Path>>,
    /// An option was misspelled, so it is not known whether it supplies an input.
    pub(crate) has_unknown: bool,
}

/// Parses the options. An error in one doesn't hide errors in the others.
pub(crate) fn parse(tokens: TokenStream, target: Target, errors: &mut Errors) -> Options {
    let mut options = Options::default();
    let parse_all = |input: ParseStream| {
        while !input.is_empty() {
            if let Err(error) = options.parse_one(target, input) {
                errors.push(error);
                skip_to_next(input)?;
            }
        }
        Ok(())
    };
    let parsed = parse_all.parse2(with_parentheses(tokens));
    errors.check(parsed);
    options.settings.check(errors);
    let fixed_size = options.rows.take_fixed_size();
    let has_fixed_size = fixed_size.is_some();
    if let Some(KeyValue { key, value }) = fixed_size {
        errors.check(options.settings.add_size(key, &value));
    }
    let rows = &options.rows;
    options.state.check(rows.args.is_some(), errors);
    rows.check_arguments(errors);
    if let (Some(KeyValue { key, .. }), Some(_)) = (&rows.size, &rows.args) {
        options.settings.fit_complexity(key.span());
    }
    let is_checked = target == Target::Function && !has_fixed_size;
    if let Some(complexity) = options.settings.complexity().filter(|_| is_checked) {
        rows.check_numbers(complexity, errors);
    }
    options
}

impl Options {
    /// Returns whether calls have an input.
    pub(crate) fn has_input(&self) -> bool {
        self.state.setup.is_some() || self.rows.args.is_some() || self.state.fixture.is_some()
    }

    /// Parses `key = value` and the comma after it.
    fn parse_one(&mut self, target: Target, input: ParseStream) -> syn::Result<()> {
        let (key, option) = parse_key(target, input).inspect_err(|_| self.has_unknown = true)?;
        if key == "context" {
            self.settings.add_context(key, input)?;
        } else if key == "complexity" && is_without_value(input) {
            self.settings.add_complexity(key, None)?;
        } else if key == "threads" && is_without_value(input) {
            self.settings.add_all_threads(key)?;
        } else if key == "manual" && is_without_value(input) {
            once(&mut self.manual, key, true)?;
        } else {
            let ahead = input.fork();
            if ahead.parse::<Token![=]>().is_err() || ahead.is_empty() || ahead.peek(Token![,]) {
                let problem = format!("`{key}` has no value");
                let without = if key == "ignore" { "`#[ignore]` below this attribute, or " } else { "" };
                return Err(error(&key, problem, format_args!("write {without}`{}`", option.example)));
            }
            input.parse::<Token![=]>()?;
            self.parse_value(key, option, target, input)?;
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            return Err(input.error("expected `,`\nwrite a `,` between two options"));
        }
        Ok(())
    }

    fn parse_value(
        &mut self,
        key: Ident,
        option: &'static OptionSpec,
        target: Target,
        input: ParseStream,
    ) -> syn::Result<()> {
        let name = option.name;
        match name {
            "crate" => {
                return once(&mut self.krate, key, values::path("crate", "path::to::nanobench", input)?);
            }
            "baseline" => return self.settings.add_baseline(key, input),
            "types" => return self.rows.add_types(key, input),
            _ => {}
        }
        let value = values::unwrapped(input.parse()?);
        let is_closure = matches!(values::bare(&value), Expr::Closure(_));
        match name {
            "batch" | "unit" if is_closure && target == Target::Module => {
                let problem = format!("`{name}` can't be a closure for a whole module: it gets an argument");
                Err(error(&value, problem, "set it on a function that has `args`"))
            }
            "batch" | "unit" if is_closure => {
                self.settings.check_not_set(&key)?;
                self.rows.add_of_argument(key, value)
            }
            "batch" if self.rows.batch.is_some() => Err(set_twice(&key)),
            "unit" if self.rows.unit.is_some() => Err(set_twice(&key)),
            "label" | "complexity_n" => self.rows.add_of_argument(key, value),
            "count" => once(&mut self.count, key, value),
            "args" | "consts" => self.rows.add(key, value),
            "setup" | "every" | "reset" | "teardown" | "fixture" => self.state.add(key, value),
            "bytes" | "chars" | "items" => self.throughput.add(option, key, value),
            "complexity" => self.settings.add_complexity(key, Some(value)),
            "manual" => once(&mut self.manual, key, values::flag("manual", value)?),
            "unroll" => once(&mut self.unroll, key, values::unroll(value)?),
            "runtime" => once(&mut self.runtime, key, Runtime::new(value)?),
            "name" => once(&mut self.name, key, values::name(&value)?),
            _ => self.settings.add(option, key, value),
        }
    }
}

/// Returns the path of the items that expansions use.
pub(crate) fn private_path(krate: Option<&KeyValue<Path>>) -> TokenStream {
    match krate {
        None => quote!(::nanobench::__private),
        Some(KeyValue { value: path, .. }) => quote!(#path::__private),
    }
}

/// Returns whether the option that was just parsed ends here.
fn is_without_value(input: ParseStream) -> bool {
    input.is_empty() || input.peek(Token![,])
}

/// Skips the rest of an option and the comma after it. Its value may have commas of its own:
/// `|a, b| ..`.
fn skip_to_next(input: ParseStream) -> syn::Result<()> {
    if input.parse::<Option<Token![=]>>()?.is_some() {
        _ = input.parse::<Expr>();
    }
    while !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Parses the name of an option.
fn parse_key(target: Target, input: ParseStream) -> syn::Result<(Ident, &'static OptionSpec)> {
    if let Ok(literal) = input.fork().parse::<Lit>() {
        let option = if matches!(literal, Lit::Str(_)) { "name" } else { "count" };
        let fix = format!("write `#[nanobench({option} = {})]`", literal.to_token_stream());
        return Err(error(&literal, "expected the name of an option, found a value", fix));
    }
    let Ok(key) = input.call(Ident::parse_any) else {
        let options = target.list_options();
        return Err(input.error(format_args!("expected the name of an option\n{options}")));
    };
    if input.peek(Token![-]) {
        return Err(dashed(&key, target, input)?);
    }
    match OptionSpec::find(&key.to_string()) {
        Some(option) if target.allows(option) => Ok((key, option)),
        Some(_) => {
            let problem = format!("`{key}` can't be set for a whole module");
            Err(error(&key, problem, format_args!("set it on a function; {}", target.list_options())))
        }
        None => Err(unknown(&key, &key.to_string(), target)),
    }
}

/// Parses the rest of a name that is spelled like a flag, `sample-time`, and returns its error.
fn dashed(first: &Ident, target: Target, input: ParseStream) -> syn::Result<syn::Error> {
    let (mut written, mut tokens) = (first.to_string(), first.to_token_stream());
    while input.peek(Token![-]) {
        tokens.extend(input.parse::<Token![-]>()?.into_token_stream());
        let word = input.call(Ident::parse_any)?;
        written = format!("{written}-{word}");
        tokens.extend(word.into_token_stream());
    }
    Ok(unknown(tokens, &written, target))
}

/// Returns the error of an unknown option, with the most helpful suggestion.
fn unknown(key: impl ToTokens, written: &str, target: Target) -> syn::Error {
    let name = written.replace('-', "_");
    let exists = |name: &str| target.option_names().any(|option| option == name);
    let did_you_mean = |name: &str| format!("did you mean `{name}`?");
    let fix = if name == "sample_size" {
        // Of criterion and of divan.
        "did you mean `samples`, their number, or `iterations`, those of each sample?".to_owned()
    } else if exists(&name) {
        did_you_mean(&name)
    } else if let Some(option) = suggestions::synonym(&name).filter(|option| exists(option)) {
        did_you_mean(option)
    } else if let Some(fix) = suggestions::run_option(&name) {
        return error(key, format_args!("`{written}` is an option of a run, not of a benchmark"), fix);
    } else if let Some(option) = suggestions::closest(&name, target.option_names()) {
        did_you_mean(option)
    } else {
        target.list_options()
    };
    error(key, format_args!("unknown option `{written}`"), fix)
}
