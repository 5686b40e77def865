//! Whether a result borrows from what the function was called with, as far as its type says so.

use syn::punctuated::Punctuated;
use syn::{AngleBracketedGenericArguments, GenericArgument, Lifetime, Path, PathArguments, Token};
use syn::{Type, TypeParamBound};

/// Whether a lifetime is left out in a type: `&u64`, `Option<&str>`, `Iter<'_, u64>`. What stands between the
/// parentheses of a function type has lifetimes of its own.
pub(crate) fn borrows(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => {
            reference.lifetime.as_ref().is_none_or(is_anonymous) || borrows(&reference.elem)
        }
        Type::Path(path) => path_borrows(&path.path),
        Type::Tuple(tuple) => tuple.elems.iter().any(borrows),
        Type::Array(array) => borrows(&array.elem),
        Type::Group(group) => borrows(&group.elem),
        Type::Paren(paren) => borrows(&paren.elem),
        Type::ImplTrait(of) => bounds_borrow(&of.bounds),
        Type::TraitObject(object) => bounds_borrow(&object.bounds),
        _ => false,
    }
}

fn is_anonymous(lifetime: &Lifetime) -> bool {
    lifetime.ident == "_"
}

fn path_borrows(path: &Path) -> bool {
    path.segments.iter().any(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments_borrow(arguments),
        PathArguments::None | PathArguments::Parenthesized(_) => false,
    })
}

fn arguments_borrow(arguments: &AngleBracketedGenericArguments) -> bool {
    arguments.args.iter().any(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => is_anonymous(lifetime),
        GenericArgument::Type(ty) => borrows(ty),
        GenericArgument::AssocType(of) => borrows(&of.ty),
        _ => false,
    })
}

fn bounds_borrow(bounds: &Punctuated<TypeParamBound, Token![+]>) -> bool {
    bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => path_borrows(&bound.path),
        TypeParamBound::Lifetime(lifetime) => is_anonymous(lifetime),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn a_lifetime_that_is_left_out_is_that_of_a_parameter() {
        let types: [Type; 11] = [
            parse_quote!(&u64),
            parse_quote!(&'_ mut [u64]),
            parse_quote!(&'static &u64),
            parse_quote!(Option<&u64>),
            parse_quote!(std::slice::Iter<'_, u64>),
            parse_quote!(Vec<(u64, &str)>),
            parse_quote!([&u64; 2]),
            parse_quote!((&u64)),
            parse_quote!(Box<dyn Iterator<Item = u64> + '_>),
            parse_quote!(impl Iterator<Item = &u64>),
            parse_quote!(impl Iterator<Item = u64> + use<> + '_),
        ];
        for ty in types {
            assert!(borrows(&ty), "{}", quote::quote!(#ty));
        }
    }

    #[test]
    fn other_types_borrow_nothing() {
        let types: [Type; 7] = [
            parse_quote!(u64),
            parse_quote!(&'static str),
            parse_quote!(Option<Vec<u64>>),
            parse_quote!(Box<dyn Fn(&str) -> &str>),
            parse_quote!(fn(&str) -> &str),
            parse_quote!(impl Iterator<Item = u64>),
            parse_quote!(!),
        ];
        for ty in types {
            assert!(!borrows(&ty), "{}", quote::quote!(#ty));
        }
    }
}
