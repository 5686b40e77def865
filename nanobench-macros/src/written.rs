//! Tokens as text, for what is shown of them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Ident, Path};

/// What was written, without blanks but between words: `HashMap<u64,&'static str>`.
pub(crate) fn compact(tokens: impl ToTokens) -> String {
    let mut text = String::new();
    add(tokens.into_token_stream(), &mut text);
    text
}

fn add(tokens: TokenStream, text: &mut String) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                add(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(mark) => text.push(mark.as_char()),
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
                if text.ends_with(is_word) {
                    text.push(' ');
                }
                text.push_str(&token.to_string());
            }
        }
    }
}

/// The path of a function as the harness knows it: without the marks of raw names, and `$crate` as `crate`.
pub(crate) fn path(path: &Path) -> String {
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.unraw().to_string().trim_start_matches('$').to_owned())
        .collect();
    names.join("::")
}

/// The first of the words in the tokens that is one of `names`.
pub(crate) fn find_word(tokens: TokenStream, names: &[Ident]) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => names.contains(&word).then_some(word),
        TokenTree::Group(group) => find_word(group.stream(), names),
        _ => None,
    })
}

/// The first of the words in the tokens that stands for a value and is one of `names`: no part of a path, no field, no name of
/// what is called, and none that is bound there itself.
pub(crate) fn find_value(tokens: TokenStream, names: &[Ident]) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_mark = |token: Option<&TokenTree>, marks: &str| matches!(token, Some(TokenTree::Punct(mark)) if marks.contains(mark.as_char()));
    let binds = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "let" || word == "mut");
    tokens
        .iter()
        .enumerate()
        .find_map(|(place, token)| {
            let before = place.checked_sub(1).map(|before| &tokens[before]);
            let next = tokens.get(place + 1);
            match token {
                TokenTree::Ident(word) if names.contains(word) => {
                    let called = matches!(next, Some(TokenTree::Group(_))) || is_mark(next, "!:");
                    let elsewhere = called || is_mark(before, ".:|") || is_mark(next, "|");
                    (!elsewhere && !before.is_some_and(binds)).then(|| word.clone())
                }
                TokenTree::Group(group) => find_value(group.stream(), names),
                _ => None,
            }
        })
        .filter(|found| {
            !tokens
                .windows(2)
                .any(|pair| binds(&pair[0]) && matches!(&pair[1], TokenTree::Ident(word) if word == found))
        })
        .filter(|_| !tokens.iter().any(|token| is_mark(Some(token), "|")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::{Type, parse_quote};

    #[test]
    fn types_are_written_without_blanks_but_between_words() {
        let types: [(Type, &str); 5] = [
            (parse_quote!(Vec<u64>), "Vec<u64>"),
            (
                parse_quote!(std::collections::HashMap<u64, &'static str>),
                "std::collections::HashMap<u64,&'static str>",
            ),
            (parse_quote!([u8; 4]), "[u8;4]"),
            (parse_quote!(Box<dyn Fn(u64) -> u64 + Send>), "Box<dyn Fn(u64)->u64+Send>"),
            (parse_quote!((u8, ())), "(u8,())"),
        ];
        for (ty, text) in types {
            assert_eq!(compact(ty), text);
        }
    }

    #[test]
    fn paths_are_written_as_the_harness_knows_them() {
        assert_eq!(path(&parse_quote!(super::sort::r#try)), "super::sort::try");
        assert_eq!(path(&parse_quote!(::first::f)), "first::f");
    }

    #[test]
    fn words_are_found_in_groups() {
        let names = [parse_quote!(N), parse_quote!(T)];
        let found = |tokens: &str| find_word(tokens.parse().unwrap(), &names).map(|word| word.to_string());
        assert_eq!(found("vec![0; size_of::<T>()]").as_deref(), Some("T"));
        assert_eq!(found("n + \"N\""), None);
    }

    #[test]
    fn a_value_is_found_where_it_is_one() {
        let find = |tokens: TokenStream| {
            find_value(tokens, &[Ident::new("n", proc_macro2::Span::call_site())]).is_some()
        };
        assert!(
            find(quote!(n))
                && find(quote!(2 * n))
                && find(quote!(n.len()))
                && find(quote!({
                    let x = n;
                    x
                }))
        );
        for other in [
            quote!(m),
            quote!(n()),
            quote!(n!()),
            quote!(n::COUNT),
            quote!(m::n),
            quote!(m.n),
            quote!(of(|n| n + 1)),
            quote!({
                let n = 5;
                n
            }),
            quote!({
                let mut n = 5;
                n += 1;
                n
            }),
        ] {
            assert!(!find(other.clone()), "{other}");
        }
    }
}
