//! Sorts the other attributes of a function: some stay on it, some configure its benchmark.

use crate::description::Description;
use crate::errors::Errors;
use crate::tokens::copy;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::token::Bracket;
use syn::{AttrStyle, Attribute, Meta, Token, parse_quote};

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
    pub(crate) conditions: Vec<TokenStream>,
    pub(crate) ignores: Ignores,
    pub(crate) description: Description,
}

/// Sorts the attributes of a function.
pub(crate) fn sort(attributes: Vec<Attribute>, errors: &mut Errors) -> Attributes {
    let mut sorted = Attributes::default();
    for (attribute, part) in attributes.into_iter().flat_map(unfolded) {
        sorted.add(attribute, part, errors);
    }
    sorted
}

/// Takes each `#[ignore]` of a module. Returns the other attributes, too.
pub(crate) fn take_ignores(attributes: Vec<Attribute>) -> (Vec<Attribute>, Ignores) {
    let (mut kept, mut ignores) = (Vec::new(), Ignores::default());
    for (attribute, part) in attributes.into_iter().flat_map(unfolded) {
        match part.meta.path().is_ident("ignore") {
            true => ignores.add(attribute, part.condition),
            false => kept.push(attribute),
        }
    }
    (kept, ignores)
}

/// Each `#[ignore]` of a function or module.
#[derive(Default)]
pub(crate) struct Ignores {
    attributes: Vec<Attribute>,
    is_unconditional: bool,
    /// The conditions of the others, each behind `||`.
    conditions: TokenStream,
}

impl Ignores {
    /// Adds an attribute. The compiler warns of a second one on the same test, so those that add
    /// nothing are left out: a function may also have those of the modules around it, which come
    /// before its own.
    fn add(&mut self, attribute: Attribute, condition: Option<TokenStream>) {
        match condition {
            None => {
                self.attributes.clear();
                self.is_unconditional = true;
            }
            Some(_) if self.is_unconditional => return,
            Some(condition) => self.conditions.extend(quote!(|| ::core::cfg!(#condition))),
        }
        let text = attribute.to_token_stream().to_string();
        if self.attributes.iter().all(|other| other.to_token_stream().to_string() != text) {
            self.attributes.push(attribute);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// Returns an expression: whether the benchmark is ignored.
    pub(crate) fn condition(&self) -> TokenStream {
        let Ignores { is_unconditional, conditions, .. } = self;
        if *is_unconditional { quote!(true) } else { quote!(false #conditions) }
    }
}

impl ToTokens for Ignores {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.attributes.iter().map(ToTokens::to_token_stream));
    }
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
            self.ignores.add(attribute, condition);
            return;
        }
        self.has_inline |= path.is_ident("inline");
        if path.is_ident("cfg") {
            self.conditions.push(attribute.to_token_stream());
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
            None => copy(meta),
            Some(condition) => parse_quote!(cfg_attr(#condition, #meta)),
        }
    }
}

/// Returns the attributes in a `cfg_attr`, each with the condition, or the attribute itself.
fn unfolded(attribute: Attribute) -> impl Iterator<Item = (Attribute, ConditionalMeta)> {
    let Attribute { pound_token, bracket_token, meta, .. } = attribute;
    unfold(meta, None).into_iter().map(move |part| {
        let attribute = Attribute {
            pound_token: Token![#](pound_token.span),
            style: AttrStyle::Outer,
            bracket_token: Bracket { span: bracket_token.span },
            meta: part.to_meta(),
        };
        (attribute, part)
    })
}

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
