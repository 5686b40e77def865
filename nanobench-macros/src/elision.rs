//! Finds elided lifetimes in a type, by which a result borrows from a parameter.

use syn::punctuated::Punctuated;
use syn::{AngleBracketedGenericArguments, GenericArgument, Lifetime, Path, PathArguments, Token};
use syn::{Type, TypeParamBound};

/// Returns whether a type has an elided lifetime: `&u64`, `Option<&str>`, `Iter<'_, u64>`. The
/// parameters and the result of a function type don't count: they have separate lifetimes.
pub(crate) fn has_elided_lifetime(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => {
            reference.lifetime.as_ref().is_none_or(is_anonymous) || has_elided_lifetime(&reference.elem)
        }
        Type::Path(path) => path_elides(&path.path),
        Type::Tuple(tuple) => tuple.elems.iter().any(has_elided_lifetime),
        Type::Array(array) => has_elided_lifetime(&array.elem),
        Type::Group(group) => has_elided_lifetime(&group.elem),
        Type::Paren(paren) => has_elided_lifetime(&paren.elem),
        Type::ImplTrait(ty) => bounds_elide(&ty.bounds),
        Type::TraitObject(object) => bounds_elide(&object.bounds),
        _ => false,
    }
}

fn is_anonymous(lifetime: &Lifetime) -> bool {
    lifetime.ident == "_"
}

fn path_elides(path: &Path) -> bool {
    path.segments.iter().any(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments_elide(arguments),
        PathArguments::None | PathArguments::Parenthesized(_) => false,
    })
}

fn arguments_elide(arguments: &AngleBracketedGenericArguments) -> bool {
    arguments.args.iter().any(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => is_anonymous(lifetime),
        GenericArgument::Type(ty) => has_elided_lifetime(ty),
        GenericArgument::AssocType(assoc) => has_elided_lifetime(&assoc.ty),
        _ => false,
    })
}

fn bounds_elide(bounds: &Punctuated<TypeParamBound, Token![+]>) -> bool {
    bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => path_elides(&bound.path),
        TypeParamBound::Lifetime(lifetime) => is_anonymous(lifetime),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn elided_lifetimes_are_found() {
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
            assert!(has_elided_lifetime(&ty), "{}", quote::quote!(#ty));
        }
    }

    #[test]
    fn other_types_have_none() {
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
            assert!(!has_elided_lifetime(&ty), "{}", quote::quote!(#ty));
        }
    }
}
