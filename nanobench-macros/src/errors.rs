//! Compile errors, collected so that all errors of a function are reported together.

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

    /// Adds an error on `tokens`, with the problem and its fix.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, problem: impl Display, fix: impl Display) {
        self.push(error(tokens, problem, fix));
    }

    /// Adds the error of a failed check.
    pub(crate) fn check<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns tokens that make the compiler report the errors.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.0.map(syn::Error::into_compile_error).unwrap_or_default()
    }
}

/// Returns an error on `tokens`, with the problem and its fix.
pub(crate) fn error(tokens: impl ToTokens, problem: impl Display, fix: impl Display) -> syn::Error {
    syn::Error::new_spanned(tokens, format_args!("{problem}\n{fix}"))
}
