//! Sorts the other attributes of a function: some stay on it, some configure its benchmark.

use crate::description::Description;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token, parse_quote};

/// Attributes that a benchmark can't have: the last segment of the path, the problem, and the fix.
const REFUSED: [(&str, &str, &str); 5] = [
    ("test", "`#[nanobench]` already creates a test that calls the function once", "remove this attribute"),
    ("bench", "this attribute belongs to another harness", "remove it: `#[nanobench]` replaces it"),
    ("nanobench", "the function is marked `#[nanobench]` twice", "remove one of the attributes"),
    (
        "should_panic",
        "a benchmark that panics fails",
        "remove this attribute; to measure a panic, catch it in the function with `std::panic::catch_unwind`",
    ),
    (
        "target_feature",
        "a benchmark is called by code without this target feature",
        "remove it, and call a function with this attribute in an `unsafe` block",
    ),
];

/// The attributes, sorted.
#[derive(Default)]
pub(crate) struct Attributes {
    /// The attributes that stay on the function.
    pub(crate) kept: Vec<Attribute>,
    pub(crate) has_inline: bool,
    /// Each `#[cfg(..)]`, for all emitted items. It stays on the function, too.
    pub(crate) conditions: Vec<Attribute>,
    /// Each `#[ignore]`, for the emitted test.
    pub(crate) ignores: Vec<Attribute>,
    /// An expression: whether the benchmark is ignored.
    pub(crate) ignored: TokenStream,
    pub(crate) description: Description,
}

/// Sorts the attributes of a function.
pub(crate) fn sort(attributes: Vec<Attribute>, errors: &mut Errors) -> Attributes {
    let mut sorted = Attributes { ignored: quote!(false), ..Attributes::default() };
    for attribute in attributes {
        for part in unfold(attribute.meta.clone(), None) {
            let attribute = Attribute { meta: part.to_meta(), ..attribute.clone() };
            sorted.add(attribute, part, errors);
        }
    }
    sorted
}

impl Attributes {
    fn add(&mut self, attribute: Attribute, part: ConditionalMeta, errors: &mut Errors) {
        let ConditionalMeta { meta, condition } = part;
        let path = meta.path();
        let last = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if let Some((_, problem, fix)) = REFUSED.iter().find(|(name, ..)| *name == last) {
            errors.at(&attribute, problem, fix);
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
        self.has_inline |= path.is_ident("inline");
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

/// An attribute and the condition of the `cfg_attr` around it.
struct ConditionalMeta {
    meta: Meta,
    condition: Option<TokenStream>,
}

impl ConditionalMeta {
    fn to_meta(&self) -> Meta {
        let meta = &self.meta;
        match &self.condition {
            None => meta.clone(),
            Some(condition) => parse_quote!(cfg_attr(#condition, #meta)),
        }
    }
}

/// Returns the attributes in a `cfg_attr`, or the attribute itself.
fn unfold(meta: Meta, condition: Option<TokenStream>) -> Vec<ConditionalMeta> {
    let Some((inner, metas)) = cfg_attr(&meta) else {
        return vec![ConditionalMeta { meta, condition }];
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
