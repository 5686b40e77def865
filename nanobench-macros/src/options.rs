//! The options in the attribute: `#[nanobench(count = 1_000, name = "short keys")]`.

use crate::elsewhere;
use crate::errors::{Errors, error};
use crate::nearest::nearest;
use crate::rows::Rows;
use crate::runtime::Runtime;
use crate::settings::Settings;
use crate::state::State;
use crate::throughput::Throughput;
use crate::values;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, Ident, Lit, LitStr, Path, Token};

/// An option: its name, how it is written, and what it may stand on.
struct Known {
    name: &'static str,
    example: &'static str,
    on_modules: bool,
}

const fn known(name: &'static str, example: &'static str) -> Known {
    Known { name, example, on_modules: false }
}

const fn on_modules(name: &'static str, example: &'static str) -> Known {
    Known { name, example, on_modules: true }
}

const OPTIONS: [Known; 32] = [
    known("count", "count = 1_000"),
    known("args", "args = [100, 1_000]"),
    known("types", "types = [u32, u64]"),
    known("consts", "consts = [16, 64]"),
    known("setup", "setup = || vec![1, 2, 3]"),
    known("every", "every = \"sample\""),
    known("reset", "reset = || CACHE.clear()"),
    known("teardown", "teardown = || CACHE.clear()"),
    known("fixture", "fixture = dictionary"),
    known("unroll", "unroll = 10"),
    known("runtime", "runtime = Runtime::new().unwrap()"),
    known("name", "name = \"short keys\""),
    on_modules("unit", "unit = \"byte\""),
    on_modules("batch", "batch = 1_024"),
    known("scale", "scale = 10"),
    known("bytes", "bytes = |input| input.len()"),
    known("chars", "chars = |input| input.chars().count()"),
    known("items", "items = |input| input.len()"),
    on_modules("baseline", "baseline = other_function"),
    on_modules("group", "group = \"sorting\""),
    on_modules("tags", "tags = [\"slow\", \"io\"]"),
    known("complexity", "complexity"),
    on_modules("cache", "cache = \"cold\""),
    on_modules("threads", "threads = [1, 2, 4]"),
    on_modules("context", "context(key = \"value\")"),
    on_modules("samples", "samples = 30"),
    on_modules("sample_time", "sample_time = \"1ms\""),
    on_modules("iterations", "iterations = 1_000"),
    on_modules("warmup", "warmup = 3"),
    on_modules("prime", "prime = false"),
    on_modules("threshold", "threshold = 2.0"),
    on_modules("crate", "crate = path::to::nanobench"),
];

/// What the attribute stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Function,
    Module,
}

impl Target {
    fn takes(self, option: &Known) -> bool {
        self == Target::Function || option.on_modules
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        OPTIONS.iter().filter(move |option| self.takes(option)).map(|option| option.name)
    }

    fn all(self) -> String {
        let names: Vec<String> = self.names().map(|name| format!("`{name}`")).collect();
        let of = if self == Target::Module { "the options of a module" } else { "the options" };
        format!("{of} are {}", names.join(", "))
    }
}

/// What the attribute says.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) count: Option<Given<Expr>>,
    /// How often the call stands in an iteration.
    pub(crate) unroll: Option<Given<usize>>,
    pub(crate) name: Option<Given<LitStr>>,
    pub(crate) runtime: Option<Given<Runtime>>,
    pub(crate) rows: Rows,
    pub(crate) state: State,
    pub(crate) throughput: Throughput,
    pub(crate) settings: Settings,
    /// Where to find nanobench.
    pub(crate) krate: Option<Given<Path>>,
}

/// `key = value`.
#[derive(Clone)]
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// Reads the options. What is wrong with one doesn't hide what is wrong with the next.
pub(crate) fn parse(tokens: TokenStream, target: Target, errors: &mut Errors) -> Options {
    let mut options = Options::default();
    let all = |input: ParseStream| {
        while !input.is_empty() {
            if let Err(error) = options.parse_one(target, input) {
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
    let rows = &options.rows;
    options.state.check(rows.args.is_some(), errors);
    if let Some(complexity) = options.settings.complexity() {
        rows.check_numbers(complexity, errors);
    }
    options
}

impl Options {
    /// Whether calls have an input.
    pub(crate) fn has_input(&self) -> bool {
        self.state.setup.is_some() || self.rows.args.is_some() || self.state.fixture.is_some()
    }

    /// Reads `key = value` and the comma after it.
    fn parse_one(&mut self, target: Target, input: ParseStream) -> syn::Result<()> {
        let (key, example) = parse_key(target, input)?;
        if key == "context" {
            self.settings.add_context(key, input)?;
        } else if key == "complexity" && (input.is_empty() || input.peek(Token![,])) {
            self.settings.add_complexity(key, None)?;
        } else {
            let ahead = input.fork();
            if ahead.parse::<Token![=]>().is_err() || ahead.is_empty() || ahead.peek(Token![,]) {
                let wrong = format!("`{key}` has no value");
                return Err(error(&key, wrong, format_args!("write `{example}`")));
            }
            input.parse::<Token![=]>()?;
            self.parse_value(key, input)?;
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            return Err(input.error("this belongs to no option\nwrite a `,` between two options"));
        }
        Ok(())
    }

    fn parse_value(&mut self, key: Ident, input: ParseStream) -> syn::Result<()> {
        let name = key.to_string();
        match name.as_str() {
            "crate" => {
                return once(&mut self.krate, key, values::path("crate", "path::to::nanobench", input)?);
            }
            "baseline" => return self.settings.add_baseline(key, input),
            "types" => return self.rows.add_types(key, input),
            _ => {}
        }
        let value = values::unwrapped(input.parse()?);
        match name.as_str() {
            "count" => once(&mut self.count, key, value),
            "args" | "consts" => self.rows.add(key, value),
            "setup" | "every" | "reset" | "teardown" | "fixture" => self.state.add(key, value),
            "bytes" | "chars" | "items" => self.throughput.add(key, value),
            "complexity" => self.settings.add_complexity(key, Some(value)),
            "unroll" => once(&mut self.unroll, key, values::unroll(value)?),
            "runtime" => once(&mut self.runtime, key, Runtime::new(value)?),
            "name" => once(&mut self.name, key, values::name(&value)?),
            _ => self.settings.add(key, value),
        }
    }
}

/// Notes an option, the first time.
pub(crate) fn once<T>(option: &mut Option<Given<T>>, key: Ident, value: T) -> syn::Result<()> {
    if option.is_some() {
        return Err(twice(&key));
    }
    *option = Some(Given { key, value });
    Ok(())
}

/// The error of an option that is there already.
pub(crate) fn twice(key: &Ident) -> syn::Error {
    error(key, format_args!("`{key}` is given twice"), "leave one of them out")
}

fn skip_to_next(input: ParseStream) -> syn::Result<()> {
    while !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// The name of an option, and how that option is written.
fn parse_key(target: Target, input: ParseStream) -> syn::Result<(Ident, &'static str)> {
    if let Ok(literal) = input.fork().parse::<Lit>() {
        let option = if matches!(literal, Lit::Str(_)) { "name" } else { "count" };
        let instead = format!("write `#[nanobench({option} = {})]`", literal.to_token_stream());
        return Err(error(&literal, "this value belongs to no option", instead));
    }
    let Ok(key) = input.call(Ident::parse_any) else {
        return Err(input.error(format_args!("this is no option\n{}", target.all())));
    };
    if input.peek(Token![-]) {
        return Err(dashed(&key, target, input)?);
    }
    let found = OPTIONS.iter().find(|option| key == option.name);
    match found {
        Some(option) if target.takes(option) => Ok((key, option.example)),
        Some(_) => {
            let wrong = format!("`{key}` is about one function, and this is a module of them");
            Err(error(&key, wrong, format_args!("write it on the function; {}", target.all())))
        }
        None => Err(unknown(&key, &key.to_string(), target)),
    }
}

/// The error of a key as flags and the file have them: `sample-time`.
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

/// The error of a key that is `written` so and belongs to no option.
fn unknown(key: impl ToTokens, written: &str, target: Target) -> syn::Error {
    let name = written.replace('-', "_");
    let known = |name: &str| target.names().any(|known| known == name);
    let instead = if name == "ignore" {
        "write `#[ignore]`, an attribute of its own, below this one".to_owned()
    } else if known(&name) {
        format!("did you mean `{name}`?")
    } else if let Some(option) = elsewhere::option(&name).filter(|option| known(option)) {
        format!("did you mean `{option}`?")
    } else if let Some(instead) = elsewhere::of_a_run(&name) {
        let flag = name.replace('_', "-");
        let wrong = format!("`{written}` goes for a whole run, and is no option of a benchmark");
        let place = format!(
            "the flag `--{flag}` of `cargo nanobench`, or the key `{flag}` of `.config/nanobench.toml`"
        );
        return error(key, wrong, format_args!("it is {place}{instead}"));
    } else if let Some(name) = nearest(&name, target.names()) {
        format!("did you mean `{name}`?")
    } else {
        target.all()
    };
    error(key, format_args!("there is no option `{written}`"), instead)
}
