//! Puts together what stands in the place of a marked function.

use crate::attributes::{self, Attributes};
use crate::count::{self, Count};
use crate::errors::Errors;
use crate::item::Item;
use crate::options::{self, Given, Options};
use crate::run::Run;
use crate::settings::Settings;
use crate::signature;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::LitStr;
use syn::ext::IdentExt as _;

/// The function as it was written and its benchmark, or the errors that are in the way of one.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let Item { attributes, signature, written } = match syn::parse2(item.clone()) {
        Ok(item) => item,
        Err(error) => return [error.into_compile_error(), item].into_iter().collect(),
    };
    let mut errors = Errors::default();
    let Options { count, setup, unroll, name, settings, krate } = options::parse(options, &mut errors);
    let attributes = attributes::sort(attributes, &mut errors);
    let parameters = signature::check(&signature, setup.as_ref(), &mut errors);
    let count = count::resolve(count, &parameters, &signature, &mut errors);
    let run = Run::new(&signature.ident, parameters, setup, unroll, &mut errors);

    let kept = &attributes.kept;
    if !errors.is_empty() {
        let errors = errors.into_compile_errors();
        return quote!(#(#kept)* #[allow(dead_code)] #written #errors);
    }
    let private = match krate {
        None => quote!(::nanobench::__private),
        Some(Given { value: path, .. }) => quote!(#path::__private),
    };
    let function = &signature.ident;
    let benchmark =
        Benchmark { function, attributes: &attributes, name, count, run, settings, private }.emit();
    // The timed loop is compiled in another codegen unit as often as not; without this, each iteration would be a call.
    let inline = (!attributes.inlined).then(|| quote!(#[cfg_attr(test, inline)]));
    quote! {
        #(#kept)*
        #inline
        #written
        #benchmark
    }
}

/// What there is to say of a function without errors.
struct Benchmark<'a> {
    function: &'a Ident,
    attributes: &'a Attributes,
    name: Option<Given<LitStr>>,
    count: Count,
    run: Run<'a>,
    settings: Settings,
    /// The path of what the expansion needs of nanobench.
    private: TokenStream,
}

impl Benchmark<'_> {
    /// Every path is absolute: what stands around the function may have any name.
    fn emit(&self) -> TokenStream {
        let private = &self.private;
        let Attributes { conditions, ignores, .. } = self.attributes;
        let when = quote!(#(#conditions)* #[cfg(test)]);
        let entry = self.named("NANOBENCH_ENTRY_");
        let test = self.named("nanobench_");
        let marker_end = format!("::{test}\u{2}");
        let fields = self.fields();
        quote! {
            // Where nothing is tested, this is how all that a benchmark needs is checked and in use.
            #(#conditions)*
            #[cfg(not(test))]
            const _: #private::Entry = #private::Entry { #fields };

            #when
            static #entry: #private::Entry = #private::Entry { #fields };

            #when
            #private::inventory::submit! { #private::Registered(&#entry) }

            #when
            #(#ignores)*
            #[::core::prelude::v1::test]
            fn #test() {
                #private::test(
                    &#entry,
                    ::core::concat!("\u{1}nanobench:", ::core::module_path!(), #marker_end),
                );
            }
        }
    }

    fn fields(&self) -> TokenStream {
        let Benchmark { count, run, settings, private, .. } = self;
        let function = self.function.unraw().to_string();
        let name = match &self.name {
            None => quote!(::core::option::Option::None),
            Some(Given { value: name, .. }) => quote!(::core::option::Option::Some(#name)),
        };
        let Attributes { description, ignored, .. } = self.attributes;
        let unroll = run.unroll();
        quote! {
            module_path: ::core::module_path!(),
            function: #function,
            name: #name,
            description: #description,
            file: ::core::file!(),
            line: ::core::line!(),
            ignored: #ignored,
            count: #private::Count::#count,
            run: #run,
            #unroll
            #settings
            ..#private::Entry::DEFAULT
        }
    }

    /// An item of the function's own. The compiler names the function for it, and spares it the user's lints.
    fn named(&self, prefix: &str) -> Ident {
        let name = format!("{prefix}{}", self.function.unraw());
        Ident::new(&name, Span::mixed_site().located_at(self.function.span()))
    }
}
