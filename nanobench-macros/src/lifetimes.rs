//! The lifetime parameters of a function, which its parameters and its result share.

use crate::elision::has_elided_lifetime;
use crate::errors::Errors;
use crate::inputs::InputKind;
use crate::parameters::{self, Passing, bare};
use crate::signature::Parameters;
use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{ExprClosure, Lifetime, Pat, ReturnType, Signature, Type};

/// Returns the tokens of a type with every named lifetime but `'static` left to the compiler: the
/// parameters of the function are unknown outside of it.
pub(crate) fn inferred(ty: &Type) -> TokenStream {
    replace(ty.to_token_stream(), &|name| name != "static", "_")
}

/// Returns a closure whose parameter, a reference, lives as long as the process: the compiler would
/// give it a lifetime from which no result can borrow.
pub(crate) fn of_static(mut closure: ExprClosure) -> ExprClosure {
    if let Some(Pat::Type(input)) = closure.inputs.first_mut() {
        if let Type::Reference(reference) = &mut *input.ty {
            if reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident == "_") {
                reference.lifetime = Some(Lifetime::new("'static", reference.and_token.span));
            }
        }
    }
    closure
}

/// Replaces the names of lifetimes.
fn replace(tokens: TokenStream, is_replaced: &dyn Fn(&Ident) -> bool, name: &str) -> TokenStream {
    let mut after_quote = false;
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if std::mem::take(&mut after_quote) && is_replaced(&word) => {
            TokenTree::Ident(Ident::new(name, word.span()))
        }
        TokenTree::Group(group) => {
            let mut inner =
                proc_macro2::Group::new(group.delimiter(), replace(group.stream(), is_replaced, name));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        token => {
            after_quote = is_quote(&token);
            token
        }
    });
    replaced.collect()
}

fn is_quote(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == '\'' && mark.spacing() == Spacing::Joint)
}

/// Returns the first lifetime of this name.
fn find(tokens: TokenStream, name: &Ident) -> Option<Lifetime> {
    let mut after_quote = false;
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) if std::mem::take(&mut after_quote) && word == *name => {
            Some(Lifetime::new(&format!("'{word}"), word.span()))
        }
        TokenTree::Group(group) => find(group.stream(), name),
        token => {
            after_quote = is_quote(&token);
            None
        }
    })
}

/// Returns whether the result may borrow from a value that the function takes by `&mut` and that
/// many calls share. Such a result can't be kept beyond the call.
pub(crate) fn borrows_from_state(signature: &Signature, parameters: &Parameters) -> bool {
    let ReturnType::Type(_, result) = &signature.output else { return false };
    parameters.inputs().any(|(parameter, kind)| match (parameter.as_input(), kind) {
        (Some((Passing::Exclusive, ty)), InputKind::SharedSetup) => {
            let named = outer_lifetime(ty)
                .is_some_and(|lifetime| find(result.to_token_stream(), &lifetime.ident).is_some());
            named || has_elided_lifetime(result) || captures(result)
        }
        _ => false,
    })
}

/// Returns whether a type contains an `impl Trait` that captures all lifetimes, as it does from the
/// edition 2024 on.
fn captures(ty: &Type) -> bool {
    let tokens = ty.to_token_stream();
    parameters::has_impl(tokens.clone()) && !crate::tokens::compact_text(tokens).contains("use<")
}

fn outer_lifetime(ty: &Type) -> Option<&Lifetime> {
    match bare(ty) {
        Type::Reference(reference) => reference.lifetime.as_ref(),
        _ => None,
    }
}

/// Reports an input by `&mut` whose type names the lifetime of an input that lives for one call
/// only: a value would have to borrow from one that is made later, or from itself.
pub(crate) fn check(parameters: &Parameters, errors: &mut Errors) {
    let of_a_call = |kind: InputKind, passing: Passing| {
        kind.is_made_per_call() || (kind == InputKind::SharedSetup && matches!(passing, Passing::Exclusive))
    };
    let inputs: Vec<(Passing, &Type)> = parameters
        .inputs()
        .filter_map(|(parameter, kind)| parameter.as_input().filter(|(passing, _)| of_a_call(kind, *passing)))
        .collect();
    let lifetimes: Vec<&Lifetime> = inputs.iter().filter_map(|(_, ty)| outer_lifetime(ty)).collect();
    for (passing, ty) in &inputs {
        let (Passing::Exclusive, Type::Reference(reference)) = (passing, bare(ty)) else { continue };
        let inner = reference.elem.to_token_stream();
        let Some(lifetime) = lifetimes.iter().find_map(|lifetime| find(inner.clone(), &lifetime.ident))
        else {
            continue;
        };
        errors.at(
            &lifetime,
            format_args!(
                "`{lifetime}` ends with the call, so no value made before it can have this lifetime"
            ),
            "take what is borrowed from `args` or `fixture`, whose values outlive all calls, \
             or make the borrowing value in the function",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn named_lifetimes_are_left_to_the_compiler() {
        let inferred = |ty: Type| inferred(&ty).to_string();
        let expected: Type = parse_quote!((&'_ [u8], Header<'_, T>, &'static str, [&u8; 2]));
        assert_eq!(
            inferred(parse_quote!((&'b [u8], Header<'b, T>, &'static str, [&u8; 2]))),
            expected.to_token_stream().to_string()
        );
    }
}
