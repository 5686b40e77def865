//! Parses the marked function, except for its body.

use crate::errors::error;
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, LitStr, Signature, Token, Visibility};

/// A marked function.
pub(crate) struct Item {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) signature: Signature,
    /// All tokens after the attributes.
    pub(crate) tokens: TokenStream,
}

impl Parse for Item {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let tokens = input.fork().parse()?;
        input.parse::<Visibility>()?;
        if !is_function(input) {
            return Err(input.error(
                "`#[nanobench]` must be on a function or a module\n\
                 put it above the function to measure: `fn name() { .. }`",
            ));
        }
        let signature = input.parse()?;
        if let Some(semicolon) = input.parse::<Option<Token![;]>>()? {
            return Err(error(
                semicolon,
                "a benchmark must have a body",
                "replace `;` with `{ .. }`, outside of any `trait` or `extern` block",
            ));
        }
        input.parse::<TokenStream>()?;
        Ok(Item { attributes, signature, tokens })
    }
}

/// Returns whether `fn` comes next, after any qualifiers.
fn is_function(input: ParseStream) -> bool {
    const QUALIFIERS: [&str; 7] = ["default", "const", "async", "gen", "unsafe", "safe", "extern"];
    let ahead = input.fork();
    while !ahead.peek(Token![fn]) {
        match ahead.call(Ident::parse_any) {
            Ok(word) if QUALIFIERS.iter().any(|qualifier| word == qualifier) => {
                // The ABI of `extern`.
                let _: syn::Result<Option<LitStr>> = ahead.parse();
            }
            _ => return false,
        }
    }
    true
}
