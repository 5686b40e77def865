//! Compile errors, gathered so that all of a function's are reported together.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Display;

/// The errors found so far.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// An error that stands on `tokens`: what is wrong there, and what to write instead.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, wrong: impl Display, instead: impl Display) {
        self.push(error(tokens, wrong, instead));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What makes the compiler report all of them.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.0.map(syn::Error::into_compile_error).unwrap_or_default()
    }
}

/// The error that [`Errors::at`] adds.
pub(crate) fn error(tokens: impl ToTokens, wrong: impl Display, instead: impl Display) -> syn::Error {
    syn::Error::new_spanned(tokens, format_args!("{wrong}\n{instead}"))
}
