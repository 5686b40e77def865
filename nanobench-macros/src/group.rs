//! Expands a marked module: the module itself, and the options of all benchmarks in it.

use crate::attributes::{self, Ignores};
use crate::errors::{Errors, error};
use crate::hygiene::local;
use crate::option_spec::Target;
use crate::options::{self, Options};
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
    if errors.is_empty() && settings.is_empty() && ignores.is_empty() && krate.is_none() {
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
    let alias = krate.as_ref().map(|_| local(&format!("NANOBENCH_CRATE_{}", name.unraw()), name.span()));
    let path = alias.as_ref().map(|alias| quote!(super::#alias));
    let alias = alias.map(|alias| {
        let path = krate.as_ref().map(|krate| &krate.value);
        quote! {
            #(#conditions)*
            #[allow(unused_imports)]
            use #path as #alias;
        }
    });
    let inside = with_attributes(content.stream(), &ignores.to_token_stream(), path.as_ref());
    let check = settings.baseline_check();
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

        #alias

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

/// Adds attributes, and the option `crate` with a path, to the benchmarks of a module and to its marked
/// modules. Their tests are emitted by attributes of their own, which don't know the modules around them.
fn with_attributes(
    content: TokenStream,
    attributes: &TokenStream,
    krate: Option<&TokenStream>,
) -> TokenStream {
    if attributes.is_empty() && krate.is_none() {
        return content;
    }
    let mut is_marked = false;
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
                // A marked module passes its own path on.
                let krate = krate.filter(|_| !is_marked).map(|krate| quote!(super::#krate));
                let content = with_attributes(group.stream(), attributes, krate.as_ref());
                let mut inside = Group::new(Delimiter::Brace, content);
                inside.set_span(group.span());
                result.extend([TokenTree::Group(inside)]);
            }
            TokenTree::Group(mark) if is_mark => result.extend([TokenTree::Group(with_crate(mark, krate))]),
            token => result.extend([token]),
        }
        if is_mark {
            result.extend(attributes.clone());
        }
        is_marked = is_mark || is_marked && text != "Brace" && text != ";";
        let [_, last] = before;
        before = [last, text];
    }
    result
}

/// Adds the option `crate` to the brackets of an attribute, unless they have it.
fn with_crate(mark: Group, krate: Option<&TokenStream>) -> Group {
    let (mut path, mut options) = (TokenStream::new(), TokenStream::new());
    for token in mark.stream() {
        match token {
            TokenTree::Group(group) => options = group.stream(),
            token => path.extend([token]),
        }
    }
    let has_crate = |options: TokenStream| {
        let words: Vec<String> = options.into_iter().map(|token| token.to_string()).collect();
        words.windows(2).any(|pair| pair[0] == "crate" && pair[1] == "=")
    };
    let Some(krate) = krate.filter(|_| !has_crate(options.clone())) else { return mark };
    let is_open = options.clone().into_iter().last().is_some_and(|last| last.to_string() != ",");
    let comma = is_open.then(|| quote!(,));
    let mut with_crate = Group::new(Delimiter::Bracket, quote!(#path(#options #comma crate = #krate)));
    with_crate.set_span(mark.span());
    with_crate
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
        let ignored = with_attributes(content.clone(), &quote!(#[ignore]), None);
        assert_eq!(ignored.to_string(), expected.to_string());
        assert_eq!(with_attributes(content.clone(), &quote!(), None).to_string(), content.to_string());
    }

    #[test]
    fn the_crate_is_added_to_marked_items_without_one() {
        let content = quote! {
            #[nanobench] fn a() {}
            #[nanobench::nanobench(samples = 5, setup = crate::f,)] #[inline] pub fn b() {}
            #[nanobench(crate = own)] fn c() {}
            mod inner { #[nanobench(samples = 5)] fn d() {} }
            #[nanobench(tags = ["x"])] pub mod marked { #[nanobench] fn e() {} }
            mod after { #[nanobench] fn f() {} }
        };
        let expected = quote! {
            #[nanobench(crate = p)] fn a() {}
            #[nanobench::nanobench(samples = 5, setup = crate::f, crate = p)] #[inline] pub fn b() {}
            #[nanobench(crate = own)] fn c() {}
            mod inner { #[nanobench(samples = 5, crate = super::p)] fn d() {} }
            #[nanobench(tags = ["x"], crate = p)] pub mod marked { #[nanobench] fn e() {} }
            mod after { #[nanobench(crate = super::p)] fn f() {} }
        };
        let added = with_attributes(content, &quote!(), Some(&quote!(p)));
        assert_eq!(added.to_string(), expected.to_string());
    }
}
