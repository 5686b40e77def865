//! Puts together what stands in the place of a marked function.

use crate::attributes::{self, Attributes};
use crate::count::{self, Count};
use crate::errors::Errors;
use crate::item::Item;
use crate::options::{self, Options};
use crate::parameters::Parameter;
use crate::signature;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::LitStr;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

/// The function as it was written and its benchmark, or the errors that are in the way of one.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let Item { attributes, signature, written } = match syn::parse2(item.clone()) {
        Ok(item) => item,
        Err(error) => return [error.into_compile_error(), item].into_iter().collect(),
    };
    let mut errors = Errors::default();
    let Options { count, name, krate } = options::parse(options, &mut errors);
    let attributes = attributes::sort(attributes, &mut errors);
    let parameters = signature::check(&signature, &mut errors);
    let count = count::resolve(count, &parameters, &signature, &mut errors);

    let kept = &attributes.kept;
    if !errors.is_empty() {
        let errors = errors.into_compile_errors();
        return quote!(#(#kept)* #[allow(dead_code)] #written #errors);
    }
    let private = match krate {
        None => quote!(::nanobench::__private),
        Some(path) => quote!(#path::__private),
    };
    let function = &signature.ident;
    let benchmark = Benchmark { function, attributes: &attributes, parameters, name, count, private }.emit();
    quote! {
        #(#kept)*
        #written
        #benchmark
    }
}

/// What there is to say of a function without errors.
struct Benchmark<'a> {
    function: &'a Ident,
    attributes: &'a Attributes,
    parameters: Vec<Parameter>,
    name: Option<LitStr>,
    count: Count,
    /// The path of what the expansion needs of nanobench.
    private: TokenStream,
}

impl Benchmark<'_> {
    /// Every path is absolute: what stands around the function may have any name.
    fn emit(&self) -> TokenStream {
        let Benchmark { function, private, .. } = self;
        let Attributes { conditions, ignores, .. } = self.attributes;
        let when = quote!(#(#conditions)* #[cfg(test)]);
        let entry = self.named("NANOBENCH_ENTRY_");
        let test = self.named("nanobench_");
        let marker_end = format!("::{test}\u{2}");
        let fixed_count = self.fixed_count();
        let fields = self.fields();
        quote! {
            #(#conditions)*
            #[cfg(not(test))]
            const _: () = { let _ = #function; };

            #fixed_count

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
        let private = &self.private;
        let function = self.function.unraw().to_string();
        let name = match &self.name {
            None => quote!(::core::option::Option::None),
            Some(name) => quote!(::core::option::Option::Some(#name)),
        };
        let count = match &self.count {
            Count::None => quote!(None),
            Count::Auto => quote!(Auto),
            Count::Literal(number) => quote!(Fixed(#number)),
            Count::Expression(..) => {
                let fixed = self.fixed_count_name();
                quote!(Fixed(#fixed as ::core::primitive::u64))
            }
        };
        let Attributes { description, ignored, .. } = self.attributes;
        let run = self.run();
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
            ..#private::Entry::DEFAULT
        }
    }

    /// The closure that has the harness call the function. Its parameters can't be mistaken for the user's
    /// names: `mixed_site` sets them apart.
    fn run(&self) -> TokenStream {
        let [run, count, control] = ["nanobench_run", "nanobench_count", "nanobench_control"]
            .map(|name| Ident::new(name, Span::mixed_site()));
        let (mut takes_count, mut takes_control) = (quote!(_), false);
        let mut arguments = Vec::new();
        for parameter in &self.parameters {
            arguments.push(match parameter {
                Parameter::Count(..) => {
                    takes_count = count.to_token_stream();
                    quote!(#count as _)
                }
                Parameter::TimeControl(ty) => {
                    takes_control = true;
                    // If it is another type of this name, the compiler says so where it is written.
                    let control = Ident::new(&control.to_string(), control.span().located_at(ty.span()));
                    quote!(#control)
                }
            });
        }
        let function = self.function;
        if takes_control {
            quote!(|#run| #run.call_controlled(|#takes_count, #control| #function(#(#arguments),*)))
        } else {
            quote!(|#run| #run.call(|#takes_count| #function(#(#arguments),*)))
        }
    }

    /// The constant that a count is computed in, where it isn't a literal. It is not only there for `test`, so
    /// that what it is computed from is used in any build.
    fn fixed_count(&self) -> Option<TokenStream> {
        let Count::Expression(value, ty) = &self.count else { return None };
        let conditions = &self.attributes.conditions;
        let fixed = self.fixed_count_name();
        let check = quote_spanned! {Span::mixed_site().located_at(value.span())=>
            ::core::assert!(#fixed > 0, "`count` is how many operations the function does in a call: at least 1")
        };
        Some(quote! {
            #(#conditions)*
            const #fixed: #ty = #value;
            #(#conditions)*
            const _: () = #check;
        })
    }

    fn fixed_count_name(&self) -> Ident {
        self.named("NANOBENCH_COUNT_")
    }

    /// An item of the function's own. The compiler names the function for it, and spares it the user's lints.
    fn named(&self, prefix: &str) -> Ident {
        let name = format!("{prefix}{}", self.function.unraw());
        Ident::new(&name, Span::mixed_site().located_at(self.function.span()))
    }
}
