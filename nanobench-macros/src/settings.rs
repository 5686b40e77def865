//! The options that are passed on to the harness as they are.

use crate::context;
use crate::errors::{Errors, error};
use crate::names::at;
use crate::number::{Meaning, Number};
use crate::options::{Given, once, twice};
use crate::values::{self, bare, elements};
use crate::written;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitStr, Path, UnOp};

const fn meaning(is: &'static str, example: &'static str, taken: &'static str) -> Meaning {
    Meaning { is, example, taken, least: 1 }
}

const SAMPLES: Meaning =
    meaning("`samples` is how many samples are taken", "samples = 30", "`samples` is taken");
const ITERATIONS: Meaning = meaning(
    "`iterations` is how many iterations a sample has",
    "iterations = 1_000",
    "`iterations` is taken",
);
const WARMUP: Meaning = Meaning {
    least: 0,
    ..meaning("`warmup` is how many calls go before the first sample", "warmup = 3", "`warmup` is taken")
};
const BATCH: Meaning = meaning("`batch` is how many units an operation does", "batch = 1_024", "");
const SCALE: Meaning = meaning("`scale` is how often the body stands in the function", "scale = 10", "");

/// The states of the caches, as they are written and as the harness calls them.
const CACHES: [&str; 3] = ["warm", "cold", "both"];

/// What was given of them.
#[derive(Default)]
pub(crate) struct Settings {
    /// Those whose values need nothing of nanobench: each has the name of its field.
    plain: Vec<Given<TokenStream>>,
    not_primed: bool,
    batch: Option<Given<Number>>,
    cache: Option<Given<TokenStream>>,
    baseline: Option<Given<Path>>,
    complexity: Option<Given<Option<Expr>>>,
    threads: Option<Given<Expr>>,
}

impl Settings {
    /// Adds the setting `key`.
    pub(crate) fn add(&mut self, key: Ident, value: Expr) -> syn::Result<()> {
        let value = match key.to_string().as_str() {
            "samples" => some(Number::new(value, &SAMPLES)?),
            "sample_time" => some(values::duration("sample_time", value)?),
            "iterations" => some(Number::new(value, &ITERATIONS)?),
            "warmup" => some(Number::new(value, &WARMUP)?),
            "prime" => {
                let prime = values::flag("prime", value)?;
                self.not_primed = !prime;
                some(prime)
            }
            "threshold" => some(values::percent("threshold", "threshold = 2.0", &value)?),
            "unit" => some(unit(&value)?),
            "batch" => return once(&mut self.batch, key, Number::of_any_type(&value, &BATCH)?),
            "scale" => some(Number::of_any_type(&value, &SCALE)?),
            "group" => some(values::label_of("the name of a group", "group", &value)?),
            "tags" => tags(&value)?,
            "threads" => {
                // They are given, even if they are wrong: other options go with them or don't.
                let checked = check_threads(&value);
                return once(&mut self.threads, key, value).and(checked);
            }
            "cache" => {
                let index = values::one_of("cache", CACHES, &value)?;
                let state = [quote!(Warm), quote!(Cold), quote!(Both)][index].clone();
                return once(&mut self.cache, key, state);
            }
            _ => unreachable!("`{key}` is among the options, and none of them"),
        };
        self.add_plain(key, value)
    }

    fn add_plain(&mut self, key: Ident, value: TokenStream) -> syn::Result<()> {
        if self.plain(&key.to_string()).is_some() {
            return Err(twice(&key));
        }
        self.plain.push(Given { key, value });
        Ok(())
    }

    /// Adds `context(..)`.
    pub(crate) fn add_context(&mut self, key: Ident, input: ParseStream) -> syn::Result<()> {
        let pairs = context::parse(&key, input)?;
        self.add_plain(key, pairs)
    }

    /// Adds `baseline = path`.
    pub(crate) fn add_baseline(&mut self, key: Ident, input: ParseStream) -> syn::Result<()> {
        once(&mut self.baseline, key, values::path("baseline", "other_function", input)?)
    }

    /// Adds `complexity`, bare or with a curve.
    pub(crate) fn add_complexity(&mut self, key: Ident, value: Option<Expr>) -> syn::Result<()> {
        if let Some(value) = &value {
            check_curve(value)?;
        }
        once(&mut self.complexity, key, value)
    }

    /// The key of `complexity`, if it was given.
    pub(crate) fn complexity(&self) -> Option<&Ident> {
        self.complexity.as_ref().map(|complexity| &complexity.key)
    }

    /// The key of `threads`, if it was given.
    pub(crate) fn threads(&self) -> Option<&Ident> {
        self.threads.as_ref().map(|threads| &threads.key)
    }

    /// The name of the group, as an expression.
    pub(crate) fn group(&self) -> TokenStream {
        self.plain("group").map_or_else(|| quote!(::core::option::Option::None), |group| group.value.clone())
    }

    fn plain(&self, name: &str) -> Option<&Given<TokenStream>> {
        self.plain.iter().find(|given| given.key == name)
    }

    /// `batch`, for who says it to each row, where it may be another in each. It is no setting of the function then.
    pub(crate) fn take_batch(&mut self) -> Option<Number> {
        self.batch.take().map(|batch| batch.value)
    }

    /// Those that are the same for all rows, to be checked for what differs among rows.
    pub(crate) fn for_all_rows(&self) -> impl Iterator<Item = (&Ident, TokenStream)> {
        let complexity = self.complexity.iter().map(|given| (&given.key, given.value.to_token_stream()));
        let threads = self.threads.iter().map(|given| (&given.key, given.value.to_token_stream()));
        self.plain.iter().map(|given| (&given.key, given.value.clone())).chain(complexity).chain(threads)
    }

    /// Those that are numbers, to be checked for what only a call has.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (&Ident, TokenStream)> {
        let batch = self.batch.iter().map(|given| (&given.key, given.value.to_token_stream()));
        self.for_all_rows().filter(|(key, _)| *key != "context").chain(batch)
    }

    /// Finds those that speak against each other.
    pub(crate) fn check(&self, errors: &mut Errors) {
        if let (true, Some(warmup)) = (self.not_primed, self.plain("warmup")) {
            let wrong = "`warmup` asks for calls before the first sample, and `prime = false` for none";
            errors.at(&warmup.key, wrong, "leave one of them out");
        }
        if let (Some(_), Some(sample_time)) = (self.plain("iterations"), self.plain("sample_time")) {
            let wrong = "`iterations` says how long a sample is, and `sample_time` says it, too";
            errors.at(&sample_time.key, wrong, "leave one of them out");
        }
    }

    /// Whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        let Settings { plain, not_primed: _, batch, cache, baseline, complexity, threads } = self;
        let others = [batch.is_none(), cache.is_none(), baseline.is_none(), threads.is_none()];
        plain.is_empty() && complexity.is_none() && !others.contains(&false)
    }

    /// The fields of `Settings`.
    pub(crate) fn fields(&self, private: &TokenStream) -> TokenStream {
        let mut fields = TokenStream::new();
        for Given { key, value } in &self.plain {
            fields.extend(quote!(#key: #value,));
        }
        if let Some(Given { key, value }) = &self.batch {
            fields.extend(quote!(#key: ::core::option::Option::Some(#value),));
        }
        if let Some(Given { key, value }) = &self.cache {
            fields.extend(quote!(#key: ::core::option::Option::Some(#private::Cache::#value),));
        }
        if let Some(Given { key, value }) = &self.baseline {
            let path = written::path(value);
            fields.extend(quote!(#key: ::core::option::Option::Some(#path),));
        }
        if let Some(Given { key, value }) = &self.complexity {
            let curve = curve(value.as_ref());
            fields
                .extend(quote!(#key: ::core::option::Option::Some(#private::Complexity { custom: #curve }),));
        }
        if let Some(Given { key, value }) = &self.threads {
            let threads = at(value.span(), quote!(#private::threads(#value)));
            fields.extend(quote!(#key: ::core::option::Option::Some(|| #threads),));
        }
        fields
    }

    /// A function is no baseline of its own.
    pub(crate) fn check_baseline_of(&self, function: &Ident, errors: &mut Errors) {
        if let Some(Given { value, .. }) =
            self.baseline.as_ref().filter(|given| given.value.is_ident(function))
        {
            let wrong = format!("`{function}` is compared with itself");
            errors.at(value, wrong, "write the path of another benchmark, or leave this out");
        }
    }

    /// What doesn't compile if `baseline` is a name of nothing.
    pub(crate) fn check_of_baseline(&self) -> Option<TokenStream> {
        let Given { value, .. } = self.baseline.as_ref()?;
        let import = quote_spanned!(value.span()=> use #value as _;);
        Some(quote! {
            const _: () = {
                #[allow(unused_imports)]
                #import
            };
        })
    }
}

fn some(value: impl ToTokens) -> TokenStream {
    quote!(::core::option::Option::Some(#value))
}

/// What an operation is one of.
fn unit(value: &Expr) -> syn::Result<TokenStream> {
    let unit = values::label_of("a unit", "unit", value)?;
    if unit.value().contains('/') {
        return Err(error(
            unit,
            "a unit is what an operation is one of, and figures are per unit",
            "write it alone and in the singular: `unit = \"byte\"` for ns/byte and byte/s",
        ));
    }
    Ok(unit.into_token_stream())
}

fn tags(value: &Expr) -> syn::Result<TokenStream> {
    let given = match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => Some(vec![value]),
        value => elements(value),
    };
    let given = given.filter(|tags| !tags.is_empty()).ok_or_else(|| {
        let wrong = "`tags` are string literals in brackets";
        error(value, wrong, "write e.g. `tags = [\"slow\", \"io\"]`")
    })?;
    let mut tags = Vec::new();
    for tag in given {
        let tag = values::label("a tag", "write `tags = [\"..\"]`", "leave it out", tag)?;
        if tags.iter().any(|other: &LitStr| other.value() == tag.value()) {
            return Err(error(
                &tag,
                format_args!("the tag `{}` stands there already", tag.value()),
                "leave it out",
            ));
        }
        tags.push(tag);
    }
    Ok(quote!(&[#(#tags),*]))
}

/// Numbers of threads, each a row; a number alone is one row. What can be seen is looked at here.
fn check_threads(value: &Expr) -> syn::Result<()> {
    const WRONG: &str = "`threads` is on how many threads the function runs at once";
    const INSTEAD: &str = "write whole numbers from 1: `threads = [1, 2, 4]`";
    if matches!(bare(value), Expr::Closure(_)) {
        return Err(error(value, "`threads` are numbers, and not what makes them", INSTEAD));
    }
    let given = elements(value).unwrap_or_else(|| vec![value]);
    if given.is_empty() {
        return Err(error(value, "there is nothing in this list", "write e.g. `threads = [1, 2, 4]`"));
    }
    let mut seen = Vec::new();
    for number in given {
        let digits = match bare(number) {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_digits().to_owned(),
            Expr::Lit(_) | Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => {
                return Err(error(number, WRONG, INSTEAD));
            }
            _ => continue,
        };
        if digits == "0" {
            return Err(error(number, WRONG, INSTEAD));
        }
        if seen.contains(&digits) {
            let wrong = format!("the row of {digits} threads is there already");
            return Err(error(number, wrong, "leave this out"));
        }
        seen.push(digits);
    }
    Ok(())
}

fn check_curve(value: &Expr) -> syn::Result<()> {
    const INSTEAD: &str =
        "write `complexity` alone for the usual ones, or add your own: `complexity = |n| n.sqrt()`";
    match bare(value) {
        Expr::Path(_) => Ok(()),
        Expr::Closure(closure) if closure.inputs.len() == 1 => Ok(()),
        Expr::Closure(_) => {
            Err(error(value, "a curve is a function of one number, an `f64`", "write e.g. `|n| n.sqrt()`"))
        }
        _ => Err(error(value, "`complexity` is a function of a number, an `f64`", INSTEAD)),
    }
}

/// A curve of the user's own: how it reads, and its value.
fn curve(value: Option<&Expr>) -> TokenStream {
    let Some(value) = value else { return quote!(::core::option::Option::None) };
    let text = match bare(value) {
        Expr::Closure(closure) => closure.body.to_token_stream(),
        value => value.to_token_stream(),
    };
    // As a constant, so that a closure that captures is an error about a function pointer.
    quote!(::core::option::Option::Some((::core::stringify!(#text), #value)))
}
