//! The text of tokens, and searches in them.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::Parse;
use syn::{Expr, Ident, Path, parse_quote};

/// Returns a copy of a syntax tree, made from its tokens. The `Clone` implementations of syn would
/// take a fifth of its time to compile, for every user.
pub(crate) fn copy<T: Parse + ToTokens>(tree: &T) -> T {
    parse_quote!(#tree)
}

/// Returns the tokens as text, with spaces only between words: `HashMap<u64,&'static str>`.
pub(crate) fn compact_text(tokens: impl ToTokens) -> String {
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

/// Puts the expressions that a `macro_rules!` macro inserted (`$n`) in parentheses, if they have
/// operators.
///
/// The invisible group around an inserted expression ends with the attribute: in the tokens that it
/// emits, `2 * $n` for `1 + 2` would be `2 * 1 + 2`.
pub(crate) fn with_parentheses(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().map(with_parentheses_inside).collect()
}

fn with_parentheses_inside(token: TokenTree) -> TokenTree {
    let TokenTree::Group(group) = token else { return token };
    let content = with_parentheses(group.stream());
    // With the span of a macro, the compiler doesn't warn about parentheses that aren't needed.
    let (delimiter, span) = match group.delimiter() {
        Delimiter::None if has_operators(content.clone()) => {
            (Delimiter::Parenthesis, Span::mixed_site().located_at(group.span()))
        }
        delimiter => (delimiter, group.span()),
    };
    let mut group = Group::new(delimiter, content);
    group.set_span(span);
    TokenTree::Group(group)
}

/// Returns whether the tokens are an expression that an operator or a method call beside it could
/// take apart.
fn has_operators(tokens: TokenStream) -> bool {
    let expression = syn::parse2(tokens);
    matches!(
        expression,
        Ok(Expr::Binary(_) | Expr::Unary(_) | Expr::Range(_) | Expr::Cast(_) | Expr::Closure(_))
    )
}

/// Returns the path of a function as the harness knows it: without `r#`, and `$crate` as `crate`.
pub(crate) fn function_path(path: &Path) -> String {
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.unraw().to_string().trim_start_matches('$').to_owned())
        .collect();
    names.join("::")
}

/// Returns the first identifier that is one of `names`.
pub(crate) fn find_ident(tokens: TokenStream, names: &[Ident]) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => names.contains(&word).then_some(word),
        TokenTree::Group(group) => find_ident(group.stream(), names),
        _ => None,
    })
}

/// Returns the first variable that is one of `names`. Parts of paths, fields, names of called
/// functions and variables bound in the tokens themselves don't count.
pub(crate) fn find_variable(tokens: TokenStream, names: &[Ident]) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |token: Option<&TokenTree>, marks: &str| matches!(token, Some(TokenTree::Punct(mark)) if marks.contains(mark.as_char()));
    // The parameters of a closure may have any of the names.
    if tokens.iter().any(|token| is_punct(Some(token), "|")) {
        return None;
    }
    let binds = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "let" || word == "mut");
    let is_bound = |name: &Ident| {
        tokens
            .windows(2)
            .any(|pair| binds(&pair[0]) && matches!(&pair[1], TokenTree::Ident(word) if word == name))
    };
    tokens.iter().enumerate().find_map(|(index, token)| {
        let variable = match token {
            TokenTree::Ident(word) if names.contains(word) => {
                let previous = index.checked_sub(1).map(|previous| &tokens[previous]);
                let next = tokens.get(index + 1);
                let is_call = matches!(next, Some(TokenTree::Group(_))) || is_punct(next, "!:");
                (!is_call && !is_punct(previous, ".:")).then(|| word.clone())
            }
            TokenTree::Group(group) => find_variable(group.stream(), names),
            _ => None,
        };
        variable.filter(|name| !is_bound(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::{Type, parse_quote};

    #[test]
    fn types_have_spaces_only_between_words() {
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
            assert_eq!(compact_text(ty), text);
        }
    }

    #[test]
    fn function_paths_have_no_raw_marks() {
        assert_eq!(function_path(&parse_quote!(super::sort::r#try)), "super::sort::try");
        assert_eq!(function_path(&parse_quote!(::first::f)), "first::f");
    }

    #[test]
    fn inserted_expressions_stay_together() {
        let inserted = |tokens: TokenStream| {
            let group = TokenTree::from(Group::new(Delimiter::None, tokens));
            with_parentheses(quote!([2 * #group])).to_string().replace(' ', "")
        };
        assert_eq!(inserted(quote!(1 + 2)), "[2*(1+2)]");
        assert_eq!(inserted(quote!(0..)), "[2*(0..)]");
        assert_eq!(inserted(quote!(|n| n)), "[2*(|n|n)]");
        for whole in
            [quote!(N), quote!(5), quote!(f(1)), quote!(Vec<u64>), quote!(&'static str), quote!((1, 2))]
        {
            assert_eq!(inserted(whole.clone()), format!("[2*{}]", whole.to_string().replace(' ', "")));
        }
    }

    #[test]
    fn identifiers_are_found_in_groups() {
        let names = [parse_quote!(N), parse_quote!(T)];
        let find = |tokens: &str| find_ident(tokens.parse().unwrap(), &names).map(|word| word.to_string());
        assert_eq!(find("vec![0; size_of::<T>()]").as_deref(), Some("T"));
        assert_eq!(find("n + \"N\""), None);
    }

    #[test]
    fn only_variables_are_found() {
        let find = |tokens: TokenStream| {
            find_variable(tokens, &[Ident::new("n", proc_macro2::Span::call_site())]).is_some()
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
