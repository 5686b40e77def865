//! Sorts the other attributes of a function: which stay on it, and which concern its benchmark.

use crate::description::Description;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token, parse_quote};

/// Attributes that a benchmark can't have: the last segment of the path, what is wrong, and what to do instead.
const REFUSED: [(&str, &str, &str); 5] = [
    ("test", "`#[nanobench]` already makes a test that runs the function once", "leave this out"),
    ("bench", "this is the attribute of another harness", "leave this out: `#[nanobench]` is in its place"),
    ("nanobench", "the function is marked `#[nanobench]` twice", "leave one of them out"),
    (
        "should_panic",
        "a benchmark that panics has failed",
        "leave this out; if the panic is to be measured, catch it in the function with `std::panic::catch_unwind`",
    ),
    (
        "target_feature",
        "a benchmark is called by code without this target feature",
        "leave this out, and call a function that has it, in an `unsafe` block",
    ),
];

/// The attributes, sorted.
#[derive(Default)]
pub(crate) struct Attributes {
    /// What stays on the function.
    pub(crate) kept: Vec<Attribute>,
    /// Whether one of them says how the function is to be inlined.
    pub(crate) inlined: bool,
    /// Each `#[cfg(..)]`: all that is emitted needs it. It stays on the function, too.
    pub(crate) conditions: Vec<Attribute>,
    /// Each `#[ignore]`: it goes to the test.
    pub(crate) ignores: Vec<Attribute>,
    /// Whether the benchmark is ignored, as an expression.
    pub(crate) ignored: TokenStream,
    pub(crate) description: Description,
}

/// Sorts the attributes of a function.
pub(crate) fn sort(attributes: Vec<Attribute>, errors: &mut Errors) -> Attributes {
    let mut sorted = Attributes { ignored: quote!(false), ..Attributes::default() };
    for attribute in attributes {
        for part in unfold(attribute.meta.clone(), None) {
            let attribute = Attribute { meta: part.written(), ..attribute.clone() };
            sorted.add(attribute, part, errors);
        }
    }
    sorted
}

impl Attributes {
    fn add(&mut self, attribute: Attribute, Part { meta, condition }: Part, errors: &mut Errors) {
        let path = meta.path();
        let last = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if let Some((_, wrong, instead)) = REFUSED.iter().find(|(name, ..)| *name == last) {
            errors.at(&attribute, wrong, instead);
            return;
        }
        if path.is_ident("ignore") {
            let ignored = &self.ignored;
            self.ignored = match condition {
                None => quote!(true),
                Some(condition) => quote!(#ignored || ::core::cfg!(#condition)),
            };
            self.ignores.push(attribute);
            return;
        }
        self.inlined |= path.is_ident("inline");
        if path.is_ident("cfg") {
            self.conditions.push(attribute.clone());
        }
        if let (Meta::NameValue(doc), None) = (&meta, condition) {
            if doc.path.is_ident("doc") {
                self.description.add(&doc.value);
            }
        }
        self.kept.push(attribute);
    }
}

/// An attribute, and when it holds.
struct Part {
    meta: Meta,
    condition: Option<TokenStream>,
}

impl Part {
    fn written(&self) -> Meta {
        let meta = &self.meta;
        match &self.condition {
            None => meta.clone(),
            Some(condition) => parse_quote!(cfg_attr(#condition, #meta)),
        }
    }
}

/// The attributes in a `cfg_attr`, or the attribute itself.
fn unfold(meta: Meta, condition: Option<TokenStream>) -> Vec<Part> {
    let Some((inner, metas)) = cfg_attr(&meta) else {
        return vec![Part { meta, condition }];
    };
    let condition = match condition {
        None => inner.into_token_stream(),
        Some(outer) => quote!(all(#outer, #inner)),
    };
    metas.into_iter().flat_map(|meta| unfold(meta, Some(condition.clone()))).collect()
}

fn cfg_attr(meta: &Meta) -> Option<(Meta, Punctuated<Meta, Token![,]>)> {
    let Meta::List(list) = meta else { return None };
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let parser = |input: ParseStream| {
        let condition = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok((condition, Punctuated::parse_terminated(input)?))
    };
    parser.parse2(list.tokens.clone()).ok()
}
