//! Parses the marked function or module, except for its content.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, GenericParam, Ident, Signature, Token, Type, Visibility};

/// A marked function.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    /// All tokens after the attributes.
    pub(crate) tokens: TokenStream,
    pub(crate) signature: Signature,
    pub(crate) body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let tokens = input.fork().parse()?;
        input.parse::<Visibility>()?;
        let signature = input.parse()?;
        Ok(Function { attributes, tokens, signature, body: input.parse()? })
    }
}

impl Function {
    /// Returns the type of the first const parameter.
    pub(crate) fn const_type(&self) -> Option<&Type> {
        self.signature.generics.params.iter().find_map(|parameter| match parameter {
            GenericParam::Const(parameter) => Some(&parameter.ty),
            _ => None,
        })
    }

    pub(crate) fn has_type_parameter(&self) -> bool {
        self.signature.generics.type_params().next().is_some()
    }

    /// Returns whether the type parameter is the first one.
    pub(crate) fn is_type_first(&self) -> bool {
        let params = &self.signature.generics.params;
        let first = params.iter().find(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
        matches!(first, Some(GenericParam::Type(_)))
    }
}

/// A marked module.
pub(crate) struct Module {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Ident,
}

impl Parse for Module {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        input.parse::<Token![mod]>()?;
        let name = input.call(Ident::parse_any)?;
        let content: TokenStream = input.parse()?;
        match content.into_iter().next() {
            Some(TokenTree::Group(_)) => Ok(Module { attributes, name }),
            _ => {
                let message = "a group needs the content of its module\nwrite `mod name { .. }`";
                Err(Error::new(name.span(), message))
            }
        }
    }
}

/// Returns whether one of the attributes has this name.
pub(crate) fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident(name))
}

/// Returns the conditions of an item: its `#[cfg(..)]`.
pub(crate) fn conditions(attributes: &[Attribute]) -> TokenStream {
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.map(quote::ToTokens::to_token_stream).collect()
}
