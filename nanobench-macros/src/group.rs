//! Expands a marked module: the module itself, and the options of all benchmarks in it.

use crate::attributes::{self, Ignores};
use crate::errors::{Errors, error};
use crate::hygiene::local;
use crate::options::{self, Options, Target};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Token, Visibility};

/// A marked module.
pub(crate) struct Module {
    /// Each `#[ignore]`, for the benchmarks in it.
    ignores: Ignores,
    conditions: Vec<TokenStream>,
    name: Ident,
    /// All tokens before the content.
    head: TokenStream,
    content: Group,
}

impl Module {
    /// Returns whether the item is a module.
    pub(crate) fn is_module(item: &TokenStream) -> bool {
        let is_module = |input: ParseStream| {
            input.call(Attribute::parse_outer)?;
            input.parse::<Visibility>()?;
            let is_module = input.peek(Token![mod]);
            input.parse::<TokenStream>()?;
            Ok(is_module)
        };
        syn::parse::Parser::parse2(is_module, item.clone()).unwrap_or(false)
    }
}

impl Parse for Module {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let (attributes, ignores) = attributes::take_ignores(input.call(Attribute::parse_outer)?);
        let visibility: Visibility = input.parse()?;
        let keyword: Token![mod] = input.parse()?;
        let name: Ident = input.call(Ident::parse_any)?;
        let content = match input.parse()? {
            TokenTree::Group(content) if content.delimiter() == Delimiter::Brace => content,
            other => {
                return Err(error(
                    other,
                    "`#[nanobench]` on a module needs the content of the module",
                    "write `mod name { .. }`; in the file of a module, put another module around the benchmarks",
                ));
            }
        };
        let conditions = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .map(ToTokens::to_token_stream)
            .collect();
        let head = quote!(#(#attributes)* #visibility #keyword #name);
        Ok(Module { ignores, conditions, name, head, content })
    }
}

/// Returns the module unchanged, followed by its options or by the errors in them.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let Module { ignores, conditions, name, head, content } = match syn::parse2(item.clone()) {
        Ok(module) => module,
        Err(error) => return [error.into_compile_error(), item].into_iter().collect(),
    };
    let mut errors = Errors::default();
    let Options { settings, krate, .. } = options::parse(options, Target::Module, &mut errors);
    if errors.is_empty() && settings.is_empty() && ignores.is_empty() {
        let problem = "`#[nanobench]` on a module sets options for all benchmarks in it, but has no options";
        let fix = "add options, e.g. `#[nanobench(samples = 30)]`, or mark only the functions";
        errors.at(&name, problem, fix);
    }
    if !errors.is_empty() {
        let errors = errors.into_compile_errors();
        return quote!(#head #content #errors);
    }
    let private = options::private_path(krate.as_ref());
    // The path of the baseline starts inside the module.
    let (inside, check) =
        (with_attribute(content.stream(), &ignores.to_token_stream()), settings.baseline_check());
    let span = content.span();
    let mut content = Group::new(Delimiter::Brace, quote!(#inside #check));
    content.set_span(span);
    let group = local(&format!("NANOBENCH_GROUP_{}", name.unraw()), name.span());
    // `module_path!` keeps the `r#` of a raw name.
    let end = format!("::{name}");
    let (group_name, fields, ignored) = (settings.group(), settings.fields(&private), ignores.condition());
    let value = quote! {
        #private::Group {
            module_path: ::core::concat!(::core::module_path!(), #end),
            name: #group_name,
            ignored: #ignored,
            settings: #private::Settings { #fields ..#private::Settings::DEFAULT },
        }
    };
    quote! {
        #head #content

        #(#conditions)*
        #[cfg(not(test))]
        const _: #private::Group = #value;

        #(#conditions)*
        #[cfg(test)]
        static #group: #private::Group = #value;

        #(#conditions)*
        #[cfg(test)]
        #private::inventory::submit! { #private::RegisteredGroup(&#group) }
    }
}

/// Adds attributes to the benchmarks of a module and to its marked modules. Their tests are emitted
/// by attributes of their own, which don't know the modules around them.
fn with_attribute(content: TokenStream, attributes: &TokenStream) -> TokenStream {
    if attributes.is_empty() {
        return content;
    }
    let mut result = TokenStream::new();
    let mut before = [const { String::new() }; 2];
    for token in content {
        let text = match &token {
            TokenTree::Group(group) => format!("{:?}", group.delimiter()),
            token => token.to_string(),
        };
        let is_module = before[0] == "mod" && text == "Brace";
        let is_mark = before[1] == "#" && matches!(&token, TokenTree::Group(group) if is_mark(group));
        match token {
            TokenTree::Group(group) if is_module => {
                let mut inside = Group::new(Delimiter::Brace, with_attribute(group.stream(), attributes));
                inside.set_span(group.span());
                result.extend([TokenTree::Group(inside)]);
            }
            token => result.extend([token]),
        }
        if is_mark {
            result.extend(attributes.clone());
        }
        let [_, last] = before;
        before = [last, text];
    }
    result
}

/// Returns whether the brackets of an attribute are those of `#[nanobench]`, with any path.
fn is_mark(brackets: &Group) -> bool {
    let mut path = brackets.stream().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_)));
    brackets.delimiter() == Delimiter::Bracket
        && path.by_ref().last().is_some_and(|token| token.to_string() == "nanobench")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_added_to_marked_items_at_any_depth() {
        let content = quote! {
            #[nanobench] fn a() { #[nanobench] fn local() {} }
            #[nanobench::nanobench(samples = 5)] #[inline] pub fn b() {}
            #[inline] fn no_benchmark() { let x = [nanobench]; }
            pub mod inner { #[nanobench] fn c() {} }
        };
        let expected = quote! {
            #[nanobench] #[ignore] fn a() { #[nanobench] fn local() {} }
            #[nanobench::nanobench(samples = 5)] #[ignore] #[inline] pub fn b() {}
            #[inline] fn no_benchmark() { let x = [nanobench]; }
            pub mod inner { #[nanobench] #[ignore] fn c() {} }
        };
        assert_eq!(with_attribute(content.clone(), &quote!(#[ignore])).to_string(), expected.to_string());
        assert_eq!(with_attribute(content.clone(), &quote!()).to_string(), content.to_string());
    }
}
