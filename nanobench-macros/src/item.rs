//! What the attribute stands on: a function, whose body is none of our business.

use crate::errors::error;
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, LitStr, Signature, Token, Visibility};

/// A marked function.
pub(crate) struct Item {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) signature: Signature,
    /// All that follows the attributes, as it was written.
    pub(crate) written: TokenStream,
}

impl Parse for Item {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let written = input.fork().parse()?;
        input.parse::<Visibility>()?;
        if !is_function(input) {
            return Err(input.error(
                "`#[nanobench]` marks a function\n\
                 put it above the function to measure: `fn name() { .. }`",
            ));
        }
        let signature = input.parse()?;
        if let Some(semicolon) = input.parse::<Option<Token![;]>>()? {
            return Err(error(
                semicolon,
                "a benchmark needs a body",
                "write `{ .. }` in place of `;`, outside of a `trait` or an `extern` block",
            ));
        }
        input.parse::<TokenStream>()?;
        Ok(Item { attributes, signature, written })
    }
}

/// Whether `fn` comes next, behind any words that may stand before it.
fn is_function(input: ParseStream) -> bool {
    const BEFORE_FN: [&str; 7] = ["default", "const", "async", "gen", "unsafe", "safe", "extern"];
    let ahead = input.fork();
    while !ahead.peek(Token![fn]) {
        match ahead.call(Ident::parse_any) {
            Ok(word) if BEFORE_FN.iter().any(|before| word == before) => {
                // The ABI of `extern`.
                let _: syn::Result<Option<LitStr>> = ahead.parse();
            }
            _ => return false,
        }
    }
    true
}
