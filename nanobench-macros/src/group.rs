//! Puts together what stands in the place of a marked module: the module, and the options for all in it.

use crate::errors::{Errors, error};
use crate::names::local;
use crate::options::{self, Given, Options, Target};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Token, Visibility};

/// A marked module.
pub(crate) struct Module {
    conditions: Vec<Attribute>,
    name: Ident,
    /// All but the content.
    head: TokenStream,
    content: Group,
}

impl Module {
    /// Whether a module stands there, behind its attributes.
    pub(crate) fn stands(item: &TokenStream) -> bool {
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
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        let keyword: Token![mod] = input.parse()?;
        let name: Ident = input.call(Ident::parse_any)?;
        let content = match input.parse()? {
            TokenTree::Group(content) if content.delimiter() == Delimiter::Brace => content,
            other => {
                return Err(error(
                    other,
                    "`#[nanobench]` marks a module with its content",
                    "write `mod name { .. }`; in a file of its own, put a module around the benchmarks in there",
                ));
            }
        };
        let conditions =
            attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect();
        let head = quote!(#(#attributes)* #visibility #keyword #name);
        Ok(Module { conditions, name, head, content })
    }
}

/// The module as it was written and its options, or the errors that are in the way of them.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let Module { conditions, name, head, content } = match syn::parse2(item.clone()) {
        Ok(module) => module,
        Err(error) => return [error.into_compile_error(), item].into_iter().collect(),
    };
    let mut errors = Errors::default();
    let Options { settings, krate, .. } = options::parse(options, Target::Module, &mut errors);
    if errors.is_empty() && settings.is_empty() {
        let wrong =
            "on a module, `#[nanobench]` gives options to all benchmarks in it, and there are none here";
        let instead = "write some, `#[nanobench(samples = 30)] mod ..`, or mark the functions alone";
        errors.at(&name, wrong, instead);
    }
    if !errors.is_empty() {
        let errors = errors.into_compile_errors();
        return quote!(#head #content #errors);
    }
    let private = match krate {
        None => quote!(::nanobench::__private),
        Some(Given { value: path, .. }) => quote!(#path::__private),
    };
    // The path of a baseline is that of a function as those in the module see it.
    let (inside, check) = (content.stream(), settings.check_of_baseline());
    let place = content.span();
    let mut content = Group::new(Delimiter::Brace, quote!(#inside #check));
    content.set_span(place);
    let group = local(&format!("NANOBENCH_GROUP_{}", name.unraw()), name.span());
    // With the mark of a raw name, as `module_path!` has it.
    let end = format!("::{name}");
    let (group_name, fields) = (settings.group(), settings.fields(&private));
    let value = quote! {
        #private::Group {
            module_path: ::core::concat!(::core::module_path!(), #end),
            name: #group_name,
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
