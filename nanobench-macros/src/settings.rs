//! The options that the harness receives unchanged, as fields of `Settings`.

use crate::callable::{self, Arguments};
use crate::context;
use crate::curve;
use crate::errors::{Errors, error};
use crate::hygiene::at;
use crate::key_value::{KeyValue, once, set_twice};
use crate::number::Number;
use crate::option_spec::{COUNTERS, Kind, OptionSpec};
use crate::tokens::function_path;
use crate::values::{self, bare, elements, empty_list};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitStr, Path, UnOp};

/// The values of these options.
#[derive(Default)]
pub(crate) struct Settings {
    /// Options whose values use no items of nanobench. Each has the name of its field.
    plain: Vec<KeyValue<TokenStream>>,
    /// The values that are literal durations, in ns.
    times: Vec<KeyValue<u64>>,
    without_prime: bool,
    batch: Option<KeyValue<Number>>,
    cache: Option<KeyValue<TokenStream>>,
    baseline: Option<KeyValue<Path>>,
    complexity: Option<KeyValue<Option<Expr>>>,
    threads: Option<KeyValue<Expr>>,
}

impl Settings {
    /// Adds the setting `key`.
    pub(crate) fn add(&mut self, option: &OptionSpec, key: Ident, value: Expr) -> syn::Result<()> {
        let value = match option.name {
            "prime" => {
                let prime = values::flag(option.name, value)?;
                self.without_prime = !prime;
                some(prime)
            }
            "unit" => some(unit(&value)?),
            "batch" => return once(&mut self.batch, key, Number::of_any_type(&value, option)?),
            "tags" => tags(&value)?,
            "counters" => counters(&value)?,
            "between" => between(&value)?,
            "ignore" => ignore(&value)?,
            "threads" => {
                // Invalid ones are kept: other options depend on their presence.
                let checked = check_threads(&value);
                return once(&mut self.threads, key, value).and(checked);
            }
            "cache" => {
                let index = values::one_of("cache", ["warm", "cold", "both"], &value)?;
                let state = [quote!(Warm), quote!(Cold), quote!(Both)][index].clone();
                return once(&mut self.cache, key, state);
            }
            name => match option.kind {
                Kind::Number(_) => some(Number::new(value, option)?),
                Kind::Amount(_) => some(Number::of_any_type(&value, option)?),
                Kind::Percentage { allows_zero } => some(values::percentage(option, allows_zero, &value)?),
                Kind::Duration => {
                    let (nanoseconds, literal) = values::duration(name, &value)?;
                    self.times.extend(literal.map(|value| KeyValue { key: key.clone(), value }));
                    some(nanoseconds)
                }
                Kind::Text => some(values::label_of(option.meaning, name, &value)?),
                Kind::Flag | Kind::Other => unreachable!("`{name}` is not an option of this module"),
            },
        };
        self.add_plain(key, value)
    }

    fn add_plain(&mut self, key: Ident, value: TokenStream) -> syn::Result<()> {
        if self.plain(&key.to_string()).is_some() {
            return Err(set_twice(&key));
        }
        self.plain.push(KeyValue { key, value });
        Ok(())
    }

    /// Fails if the option `key` is set.
    pub(crate) fn check_not_set(&self, key: &Ident) -> syn::Result<()> {
        let is_batch = self.batch.as_ref().is_some_and(|batch| batch.key == *key);
        if is_batch || self.plain(&key.to_string()).is_some() { Err(set_twice(key)) } else { Ok(()) }
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

    /// Adds `threads` without a value: all cores.
    pub(crate) fn add_all_threads(&mut self, key: Ident) -> syn::Result<()> {
        let all = syn::parse_quote_spanned!(key.span()=> 0);
        once(&mut self.threads, key, all)
    }

    /// Adds `complexity`, alone or with a curve.
    pub(crate) fn add_complexity(&mut self, key: Ident, value: Option<Expr>) -> syn::Result<()> {
        if let Some(value) = &value {
            curve::check(value)?;
        }
        once(&mut self.complexity, key, value)
    }

    /// Adds `complexity`, unless it is set. Errors are located at `place`.
    pub(crate) fn fit_complexity(&mut self, place: Span) {
        let key = Ident::new("complexity", place);
        self.complexity.get_or_insert(KeyValue { key, value: None });
    }

    /// Adds `complexity_n` as the size of a function without arguments.
    pub(crate) fn add_size(&mut self, key: Ident, value: &Expr) -> syn::Result<()> {
        let size = some(Number::of_any_type(value, OptionSpec::named("complexity_n"))?);
        self.add_plain(key, size)
    }

    /// Returns the key of `complexity`.
    pub(crate) fn complexity(&self) -> Option<&Ident> {
        self.complexity.as_ref().map(|complexity| &complexity.key)
    }

    /// Returns the key of `threads`.
    pub(crate) fn threads(&self) -> Option<&Ident> {
        self.threads.as_ref().map(|threads| &threads.key)
    }

    /// Returns the name of the group, as an expression of type `Option`.
    pub(crate) fn group(&self) -> TokenStream {
        self.plain("group").map_or_else(|| quote!(::core::option::Option::None), |group| group.value.clone())
    }

    fn plain(&self, name: &str) -> Option<&KeyValue<TokenStream>> {
        self.plain.iter().find(|option| option.key == name)
    }

    /// Removes `batch` from the settings of a generic function, whose rows may differ in it.
    pub(crate) fn take_batch(&mut self) -> Option<Number> {
        self.batch.take().map(|batch| batch.value)
    }

    /// Returns the options that apply to all rows, to be checked for generic parameters.
    pub(crate) fn common_to_rows(&self) -> impl Iterator<Item = (&Ident, TokenStream)> {
        let options = self.plain.iter().map(key_and_tokens);
        options
            .chain(self.complexity.iter().map(key_and_tokens))
            .chain(self.threads.iter().map(key_and_tokens))
    }

    /// Returns the options that apply to all calls, to be checked for parameters of the function.
    pub(crate) fn common_to_calls(&self) -> impl Iterator<Item = (&Ident, TokenStream)> {
        let batch = self.batch.iter().map(key_and_tokens);
        self.common_to_rows().filter(|(key, _)| *key != "context").chain(batch)
    }

    /// Reports contradictions.
    pub(crate) fn check(&self, errors: &mut Errors) {
        if let (true, Some(warmup)) = (self.without_prime, self.plain("warmup")) {
            let problem = "`warmup` adds calls before the first sample, and `prime = false` rules them out";
            errors.at(&warmup.key, problem, "remove one of them");
        }
        if let (Some(_), Some(sample_time)) = (self.plain("iterations"), self.plain("sample_time")) {
            let problem = "`iterations` and `sample_time` both set the length of a sample";
            errors.at(&sample_time.key, problem, "remove one of them");
        }
        let until_precise = ["precision", "min_time", "max_time"].into_iter().find_map(|key| self.plain(key));
        if let (Some(_), Some(KeyValue { key, .. })) = (self.plain("samples"), until_precise) {
            let problem = format!("`samples` sets the number of samples, so `{key}` has no effect");
            errors.at(key, problem, "remove one of them");
        }
        let time = |name: &str| self.times.iter().find(|time| time.key == name);
        if let (Some(min), Some(max)) = (time("min_time"), time("max_time")) {
            if min.value > max.value {
                errors.at(&max.key, "`max_time` is shorter than `min_time`", "swap them, or remove one");
            }
        }
    }

    /// Returns whether no option is set.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields(&TokenStream::new()).is_empty()
    }

    /// Returns the fields of `Settings`.
    pub(crate) fn fields(&self, private: &TokenStream) -> TokenStream {
        let plain = self.plain.iter().map(|KeyValue { key, value }| quote!(#key: #value,));
        let field = |key: &Ident, value: TokenStream| quote!(#key: ::core::option::Option::Some(#value),);
        let batch = self.batch.iter().map(|option| field(&option.key, option.value.to_token_stream()));
        let cache = self
            .cache
            .iter()
            .map(|KeyValue { key, value }| field(key, quote!(#private::CacheStates::#value)));
        let baseline = self
            .baseline
            .iter()
            .map(|option| field(&option.key, function_path(&option.value).into_token_stream()));
        let complexity = self.complexity.iter().map(|option| {
            let curve = curve::custom(option.value.as_ref());
            field(&option.key, quote!(#private::Complexity { custom: #curve }))
        });
        let threads = self.threads.iter().map(|KeyValue { key, value }| {
            let threads = at(value.span(), quote!(#private::threads(#value)));
            field(key, quote!(|| #threads))
        });
        plain.chain(batch).chain(cache).chain(baseline).chain(complexity).chain(threads).collect()
    }

    /// Checks that the function is not its own baseline.
    pub(crate) fn check_baseline(&self, function: &Ident, errors: &mut Errors) {
        if let Some(KeyValue { value, .. }) =
            self.baseline.as_ref().filter(|option| option.value.is_ident(function))
        {
            let problem = format!("`{function}` can't be its own baseline");
            errors.at(value, problem, "write the path of another benchmark, or remove `baseline`");
        }
    }

    /// Returns an item that compiles only if the path of `baseline` exists.
    pub(crate) fn baseline_check(&self) -> Option<TokenStream> {
        let KeyValue { value, .. } = self.baseline.as_ref()?;
        let import = quote_spanned!(value.span()=> use #value as _;);
        Some(quote! {
            const _: () = {
                #[allow(unused_imports)]
                #import
            };
        })
    }
}

fn key_and_tokens<T: ToTokens>(option: &KeyValue<T>) -> (&Ident, TokenStream) {
    (&option.key, option.value.to_token_stream())
}

fn some(value: impl ToTokens) -> TokenStream {
    quote!(::core::option::Option::Some(#value))
}

fn unit(value: &Expr) -> syn::Result<TokenStream> {
    let unit = values::label_of("a unit", "unit", value)?;
    if unit.value().contains('/') {
        return Err(error(
            unit,
            "a unit can't contain `/`: figures are per unit already",
            "write the unit alone, in the singular: `unit = \"byte\"` for ns/byte and byte/s",
        ));
    }
    Ok(unit.into_token_stream())
}

fn tags(value: &Expr) -> syn::Result<TokenStream> {
    let written = match values::string(value) {
        Some(_) => Some(vec![value]),
        None => elements(value),
    };
    let written = written.filter(|tags| !tags.is_empty()).ok_or_else(|| {
        let problem = "`tags` must be a list of string literals";
        error(value, problem, "write e.g. `tags = [\"slow\", \"io\"]`")
    })?;
    let mut tags = Vec::new();
    for tag in written {
        let tag = values::label("a tag", "write `tags = [\"..\"]`", "remove it", tag)?;
        if tags.iter().any(|other: &LitStr| other.value() == tag.value()) {
            let problem = format!("the tag `{}` is listed twice", tag.value());
            return Err(error(&tag, problem, "remove one of them"));
        }
        tags.push(tag);
    }
    Ok(quote!(&[#(#tags),*]))
}

/// Returns the code to run between calls, as an `Option` of a function pointer.
fn between(value: &Expr) -> syn::Result<TokenStream> {
    callable::check("between", value, Arguments::None)?;
    Ok(some(value))
}

/// Returns the condition as an `Option` of a function pointer.
fn ignore(value: &Expr) -> syn::Result<TokenStream> {
    if matches!(bare(value), Expr::Closure(_)) {
        let fix = "write the condition itself: `ignore = cfg!(miri)`";
        return Err(error(value, "`ignore` must be a condition, not a closure", fix));
    }
    Ok(some(quote!(|| -> ::core::primitive::bool { #value })))
}

fn counters(value: &Expr) -> syn::Result<TokenStream> {
    let written = match values::string(value) {
        Some(_) => vec![value],
        None => elements(value).unwrap_or_default(),
    };
    if written.is_empty() || written.iter().any(|name| values::string(name).is_none()) {
        let problem = "`counters` must be a list of the names of events";
        let fix = "write e.g. `counters = [\"instructions\", \"cycles\"]`; \
                   for amounts of data, use `bytes`, `chars` or `items`";
        return Err(error(value, problem, fix));
    }
    let mut indices = Vec::new();
    for name in written {
        let index = values::one_of("counters", COUNTERS, name)?;
        if indices.contains(&index) {
            let problem = format!("the counter `{}` is listed twice", COUNTERS[index]);
            return Err(error(name, problem, "remove one of them"));
        }
        indices.push(index);
    }
    let names = indices.into_iter().map(|index| COUNTERS[index]);
    Ok(quote!(&[#(#names),*]))
}

/// Checks the literals among the numbers of threads.
fn check_threads(value: &Expr) -> syn::Result<()> {
    const EXAMPLE: &str = "threads = [1, 2, 4]";
    let invalid = |tokens: &Expr| {
        let problem = "`threads` must be whole numbers, 0 for all cores";
        error(tokens, problem, format_args!("write e.g. `{EXAMPLE}`"))
    };
    if matches!(bare(value), Expr::Closure(_)) {
        return Err(invalid(value));
    }
    let numbers = elements(value).unwrap_or_else(|| vec![value]);
    if numbers.is_empty() {
        return Err(empty_list(value, EXAMPLE));
    }
    let mut seen = Vec::new();
    for number in numbers {
        let digits = match bare(number) {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_digits().to_owned(),
            Expr::Lit(_) | Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => {
                return Err(invalid(number));
            }
            _ => continue,
        };
        if seen.contains(&digits) {
            return Err(error(number, format_args!("`{digits}` is listed twice"), "remove one of them"));
        }
        seen.push(digits);
    }
    Ok(())
}
