//! The description of a benchmark: its doc comment.

use crate::values::bare;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprLit, Lit};

/// The lines of a doc comment.
#[derive(Default)]
pub(crate) struct Description(Vec<Line>);

enum Line {
    Text(String),
    /// A macro, as in `#[doc = include_str!("sort.md")]`.
    Macro(TokenStream),
}

impl Description {
    /// Adds the value of a `#[doc = ..]`.
    pub(crate) fn add(&mut self, value: &Expr) {
        self.0.push(match bare(value) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Line::Text(unindented(&text.value())),
            value => Line::Macro(value.to_token_stream()),
        });
    }
}

/// Removes the space that starts each line of a doc comment.
fn unindented(text: &str) -> String {
    let lines: Vec<&str> = text
        .trim_start_matches('\n')
        .trim_end()
        .split('\n')
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    lines.join("\n")
}

impl ToTokens for Description {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut parts = Vec::new();
        let mut text = String::new();
        for (index, line) in self.0.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            match line {
                Line::Text(line) => text.push_str(line),
                Line::Macro(value) => {
                    let before = std::mem::take(&mut text);
                    parts.push(quote!(#before));
                    parts.push(quote!(#value));
                }
            }
        }
        tokens.extend(if parts.is_empty() {
            quote!(#text)
        } else {
            quote!(::core::concat!(#(#parts,)* #text))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn description(values: Vec<Expr>) -> String {
        let mut description = Description::default();
        for value in &values {
            description.add(value);
        }
        description.into_token_stream().to_string()
    }

    #[test]
    fn lines_lose_their_first_space() {
        assert_eq!(description(vec![]), r#""""#);
        assert_eq!(description(vec![parse_quote!(" Short keys.")]), r#""Short keys.""#);
        let lines = vec![parse_quote!(" One."), parse_quote!(""), parse_quote!("   Indented by two.")];
        assert_eq!(description(lines), r#""One.\n\n  Indented by two.""#);
    }

    #[test]
    fn a_block_comment_is_several_lines() {
        assert_eq!(description(vec![parse_quote!("\n One.\n Two.\n ")]), r#""One.\nTwo.""#);
    }

    #[test]
    fn a_macro_is_left_to_the_compiler() {
        let mixed = vec![parse_quote!(" Before"), parse_quote!(stringify!(f)), parse_quote!(" after")];
        assert_eq!(description(mixed), r#":: core :: concat ! ("Before\n" , stringify ! (f) , "\nafter")"#);
    }
}
