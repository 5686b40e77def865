//! An option with its key, for errors on the exact token.

use crate::errors::error;
use syn::Ident;

/// An option as written: `key = value`.
#[derive(Clone)]
pub(crate) struct KeyValue<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// Sets an option that is not set yet.
pub(crate) fn once<T>(option: &mut Option<KeyValue<T>>, key: Ident, value: T) -> syn::Result<()> {
    if option.is_some() {
        return Err(set_twice(&key));
    }
    *option = Some(KeyValue { key, value });
    Ok(())
}

pub(crate) fn set_twice(key: &Ident) -> syn::Error {
    error(key, format_args!("`{key}` is set twice"), "remove one of them")
}
