//! The options of the attributes.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, ExprArray, Ident, Path, Token, Type, bracketed};

/// The options of both attributes, and those of functions only.
const COMMON: [&str; 15] = [
    "name",
    "crate",
    "sample_count",
    "sample_size",
    "threads",
    "counter",
    "counters",
    "bytes_count",
    "chars_count",
    "cycles_count",
    "items_count",
    "min_time",
    "max_time",
    "skip_ext_time",
    "ignore",
];
const OF_FUNCTIONS: [&str; 3] = ["args", "consts", "types"];
/// The number of different letters in which a misspelled option may differ: one letter is another.
const MAX_DIFFERENT_LETTERS: usize = 2;

/// The item with the attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Function,
    Module,
}

/// The options as written.
#[derive(Default)]
pub(crate) struct Options {
    /// The path of the items for generated code.
    pub(crate) private: TokenStream,
    pub(crate) krate: Option<Path>,
    pub(crate) name: Option<Expr>,
    pub(crate) args: Option<Expr>,
    pub(crate) consts: Option<Expr>,
    pub(crate) types: Option<Vec<Type>>,
    /// Counters, and the type of those whose option names it.
    counters: Vec<(Option<Ident>, TokenStream)>,
    threads: Option<Expr>,
    ignore: Option<Expr>,
    /// Options for the number and length of samples: their names and values.
    sampling: Vec<(Ident, Expr)>,
}

impl Options {
    pub(crate) fn parse(tokens: TokenStream, target: Target) -> syn::Result<Options> {
        let parse = |input: ParseStream| {
            let (mut options, mut seen) = (Options::default(), Vec::new());
            while !input.is_empty() {
                let key = input.call(Ident::parse_any)?.unraw();
                if seen.contains(&key) {
                    return Err(Error::new(key.span(), format!("`{key}` is set twice\nremove one of them")));
                }
                seen.push(key.clone());
                options.add(key, input, target)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(options)
        };
        let mut options = parse.parse2(tokens)?;
        let path = options.krate.as_ref().map_or_else(|| quote!(::divan), quote::ToTokens::to_token_stream);
        options.private = quote!(#path::__private);
        Ok(options)
    }

    fn add(&mut self, key: Ident, input: ParseStream, target: Target) -> syn::Result<()> {
        let name = key.to_string();
        let of_target: &[&str] = if target == Target::Function { &OF_FUNCTIONS } else { &[] };
        if !COMMON.contains(&&*name) && !of_target.contains(&&*name) {
            return Err(unknown(&key, of_target));
        }
        let is_flag = input.is_empty() || input.peek(Token![,]);
        if !is_flag {
            input.parse::<Token![=]>()?;
        } else if !matches!(&*name, "threads" | "ignore" | "skip_ext_time") {
            return Err(Error::new(key.span(), format!("`{key}` has no value\nwrite `{key} = ..`")));
        }
        let value = |input: ParseStream| {
            if is_flag { Ok(Expr::Verbatim(quote!(true))) } else { input.parse::<Expr>() }
        };
        match &*name {
            "crate" => self.krate = Some(input.call(Path::parse_mod_style)?),
            "types" => {
                let list;
                bracketed!(list in input);
                self.types =
                    Some(Punctuated::<Type, Token![,]>::parse_terminated(&list)?.into_iter().collect());
            }
            "name" => self.name = Some(value(input)?),
            "args" => self.args = Some(value(input)?),
            "consts" => self.consts = Some(value(input)?),
            "threads" => self.threads = Some(value(input)?),
            "ignore" => self.ignore = Some(value(input)?),
            "counter" => self.counters.push((None, value(input)?.to_token_stream())),
            "counters" => {
                let list = ExprArray::parse(input)?.elems;
                self.counters.extend(list.into_iter().map(|counter| (None, counter.into_token_stream())));
            }
            "bytes_count" | "chars_count" | "cycles_count" | "items_count" => {
                let (unit, _) = name.split_at(name.len() - "_count".len());
                let ty = format!("{}{}Count", unit[..1].to_uppercase(), &unit[1..]);
                let ty = Ident::new(&ty, Span::call_site());
                self.counters.push((Some(ty), value(input)?.to_token_stream()));
            }
            _ => self.sampling.push((key, value(input)?)),
        }
        Ok(())
    }

    /// Returns the settings, for a static. `ignored`: the item is marked `#[ignore]`. `body`: the code in
    /// which counters may be named.
    pub(crate) fn settings(&self, ignored: bool, body: &TokenStream) -> TokenStream {
        let private = &self.private;
        let threads = self.threads.as_ref().map(
            |value| quote!(threads: #private::core::option::Option::Some(|| #private::threads(#value)),),
        );
        let ignore = match (&self.ignore, ignored) {
            (Some(value), _) => Some(value.to_token_stream()),
            (None, true) => Some(quote!(true)),
            (None, false) => None,
        };
        let ignore = ignore.map(|value| quote!(ignore: #private::core::option::Option::Some(|| #value),));
        let counters = self.counters.iter().map(|(ty, value)| match ty {
            Some(ty) => quote!(<#private::#ty as #private::core::convert::From<_>>::from(#value)),
            None => value.clone(),
        });
        let amounts = (!self.counters.is_empty()).then(|| {
            quote!(amounts: #private::core::option::Option::Some(|| #private::CounterSet::default()#(.with(#counters))*.amounts()),)
        });
        let units = units(body).into_iter().map(|unit| {
            let unit = Ident::new(unit, Span::call_site());
            quote!(#private::ThroughputUnit::#unit)
        });
        let fields = quote!(#threads #ignore #amounts throughput: &[#(#units),*],);
        let late = self.late(&fields);
        quote!(#private::Settings { #fields #late ..#private::Settings::DEFAULT })
    }

    /// Returns the field with all settings for values that are known only at run time.
    fn late(&self, fields: &TokenStream) -> Option<TokenStream> {
        let private = &self.private;
        let (mut sampling, mut accepted) = (TokenStream::new(), TokenStream::new());
        for (option, value) in &self.sampling {
            let field = match option.to_string().as_str() {
                "sample_count" => quote!(samples),
                "sample_size" => quote!(iterations),
                "max_time" => quote!(max_time),
                _ => {
                    accepted.extend(quote!(#private::#option(#value);));
                    continue;
                }
            };
            sampling.extend(quote!(#field: #private::#option(#value),));
        }
        (!self.sampling.is_empty()).then(|| {
            quote! {
                late: #private::core::option::Option::Some(|| {
                    static SETTINGS: #private::LazyLock<#private::Settings> = #private::LazyLock::new(|| {
                        #accepted
                        #private::Settings { #sampling #fields ..#private::Settings::DEFAULT }
                    });
                    &SETTINGS
                }),
            }
        })
    }
}

/// Returns the units of the counters that a text of code names. A number is a counter of items.
fn units(code: &TokenStream) -> Vec<&'static str> {
    let mut words = Vec::new();
    collect_words(code.clone(), &mut words);
    let has = |word: &str| words.iter().any(|other| other == word);
    let named = [("BytesCount", "Byte"), ("CharsCount", "Char"), ("ItemsCount", "Item")];
    let mut units: Vec<&str> = named.iter().filter(|(word, _)| has(word)).map(|(_, unit)| *unit).collect();
    if units.is_empty() && (has("counter") || has("input_counter")) && !has("CyclesCount") {
        units.push("Item");
    }
    units
}

fn collect_words(code: TokenStream, words: &mut Vec<Ident>) {
    for token in code {
        match token {
            TokenTree::Ident(word) => words.push(word),
            TokenTree::Group(group) => collect_words(group.stream(), words),
            _ => {}
        }
    }
}

fn unknown(key: &Ident, of_target: &[&str]) -> Error {
    let attribute = if of_target.is_empty() { "bench_group" } else { "bench" };
    let (all, typed) = ([&COMMON, of_target].concat(), key.to_string());
    let nearest = all.iter().map(|option| (different_letters(&typed, option), option)).min();
    let fix = match nearest {
        Some((..=MAX_DIFFERENT_LETTERS, option)) => format!("did you mean `{option}`?"),
        _ => format!("options: `{}`", all.join("`, `")),
    };
    Error::new(key.span(), format!("`#[divan::{attribute}]` has no option `{key}`\n{fix}"))
}

/// Returns the number of letters that only one of two words has, regardless of their order.
fn different_letters(a: &str, b: &str) -> usize {
    let number = |word: &str, letter| word.matches(letter).count();
    ('a'..='z').map(|letter| number(a, letter).abs_diff(number(b, letter))).sum()
}
