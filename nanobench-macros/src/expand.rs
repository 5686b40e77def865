//! Expands a marked function: the function itself, its benchmark and its test.

use crate::attributes::{self, Attributes};
use crate::bencher;
use crate::benchmark::Benchmark;
use crate::count::{self, Count};
use crate::errors::Errors;
use crate::group::{self, Module};
use crate::hygiene::local;
use crate::input_options::InputOptions;
use crate::inputs;
use crate::instances::{self, Instances};
use crate::item::Item;
use crate::key_value::KeyValue;
use crate::manual;
use crate::option_spec::Target;
use crate::options::{self, Options};
use crate::runtime;
use crate::signature::{self, Parameters};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::Signature;
use syn::ext::IdentExt as _;

/// Returns the item unchanged, followed by its benchmark or by the errors in it.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    if Module::is_module(&item) {
        return group::expand(options, item);
    }
    let item: Item = match syn::parse2(item.clone()) {
        Ok(item) => item,
        Err(error) => return [error.into_compile_error(), item].into_iter().collect(),
    };
    let mut errors = Errors::default();
    let mut options = options::parse(options, Target::Function, &mut errors);
    let attributes = attributes::sort(item.attributes, &mut errors);
    let signature = &item.signature;
    let (instances, parameters, count) = check(signature, &mut options, &mut errors);
    let (kept, function) = (&attributes.kept, &item.tokens);
    if !errors.is_empty() {
        let errors = errors.into_compile_errors();
        return quote!(#(#kept)* #[allow(dead_code)] #function #errors);
    }
    // The timed loop may be in another codegen unit. Without `inline`, each iteration would be a
    // call.
    let inline = (!attributes.has_inline).then(|| quote!(#[cfg_attr(test, inline)]));
    let private = &options::private_path(options.krate.as_ref());
    let batch = instances.is_some().then(|| options.settings.take_batch()).flatten();
    let (attributes, options) = (&attributes, &options);
    let benchmark =
        Benchmark { signature, attributes, options, parameters, instances, batch, count, private }.items();
    quote! {
        #(#kept)*
        #inline
        #function
        #benchmark
    }
}

/// Checks a function against its options.
fn check(
    signature: &Signature,
    options: &mut Options,
    errors: &mut Errors,
) -> (Option<Instances>, Parameters, Count) {
    let instances = instances::check(signature, &options.rows, errors);
    instances::check_settings(signature, options, errors);
    let parameters = signature::check(signature, &InputOptions::new(options), errors);
    inputs::check_settings(signature, &options.settings, options.has_input(), errors);
    let count = count::resolve(options.count.take(), &parameters.all, signature, errors);
    options.throughput.check(&InputOptions::new(options).suppliers, errors);
    runtime::check(options.runtime.as_ref(), signature, errors);
    options.settings.check_baseline(&signature.ident, errors);
    options.state.check_threads(options.settings.threads(), errors);
    manual::check(options, signature, &parameters, errors);
    if let Some(unroll) = &options.unroll {
        bencher::check_unroll(unroll, &parameters, errors);
    }
    (instances, parameters, count)
}

impl Benchmark<'_> {
    /// Returns the items of the benchmark. All paths are absolute: the items around the function
    /// may have any names.
    fn items(&self) -> TokenStream {
        let private = self.private;
        let Attributes { conditions, ignores, .. } = self.attributes;
        let when = quote!(#(#conditions)* #[cfg(test)]);
        let (entry, settings) = (self.named("NANOBENCH_ENTRY_"), self.named("NANOBENCH_SETTINGS_"));
        let test = self.named("nanobench_");
        // Some expansions need a closure even if it only calls a function.
        let lints = (!self.is_plain() || self.options.runtime.is_some())
            .then(|| quote!(#[allow(clippy::redundant_closure, clippy::redundant_closure_for_method_calls, clippy::redundant_closure_call)]));
        let marker_end = format!("::{test}\u{2}");
        let baseline = self.options.settings.baseline_check();
        let values = self.settings();
        let checked = self.fields(values.as_ref());
        let named = values.as_ref().map(|_| quote!(#settings));
        let fields = self.fields(named.as_ref());
        let settings = values.map(|values| {
            quote! {
                #when
                #lints
                static #settings: #private::Settings = #values;
            }
        });
        quote! {
            #baseline

            // Without `cfg(test)`, this constant checks and uses the items of the benchmark.
            #(#conditions)*
            #[cfg(not(test))]
            #lints
            const _: #private::Entry = #private::Entry { #checked };

            #settings

            #when
            #lints
            static #entry: #private::Entry = #private::Entry { #fields };

            #when
            #private::inventory::submit! { #private::Registered(&#entry) }

            #when
            #ignores
            #[::core::prelude::v1::test]
            fn #test() {
                #private::test(
                    &#entry,
                    ::core::concat!("\u{1}nanobench:", ::core::module_path!(), #marker_end),
                );
            }
        }
    }

    /// Returns the fields of the entry. `settings`: its settings, if there are any.
    fn fields(&self, settings: Option<&TokenStream>) -> TokenStream {
        let Benchmark { count, private, .. } = self;
        let name = &self.options.name;
        let (function, body) = (self.signature.ident.unraw().to_string(), self.body());
        let name = match name {
            None => quote!(::core::option::Option::None),
            Some(KeyValue { value: name, .. }) => quote!(::core::option::Option::Some(#name)),
        };
        let Attributes { description, ignores, .. } = self.attributes;
        let ignored = ignores.condition();
        let unroll = Literal::usize_unsuffixed(self.unroll());
        let unroll = (self.unroll() > 1).then(|| quote!(unroll: #unroll,));
        // Most functions have no settings. Omitting the field saves compile time.
        let settings = settings.map(|settings| quote!(settings: &#settings,));
        let takes_input = self.parameters.inputs().next().map(|_| quote!(takes_input: true,));
        let has_default = takes_input.is_none() || unroll.is_none() || settings.is_none();
        let rest = has_default.then(|| quote!(..#private::Entry::DEFAULT));
        // A name that is passed to a `macro_rules!` macro has its own place in the source.
        // In the span of a crate of the 2015 edition, `::core` is not found.
        let span = self.signature.ident.span();
        let respanned = |mut token: TokenTree| {
            token.set_span(span);
            token
        };
        let core_of = self.options.krate.is_none().then(|| self.private.clone());
        let core_of: TokenStream = core_of.into_iter().flatten().map(respanned).collect();
        let place = quote_spanned! {span=>
            line: #core_of::core::line!(),
            column: #core_of::core::column!(),
        };
        quote! {
            module_path: ::core::module_path!(),
            function: #function,
            name: #name,
            description: #description,
            file: ::core::file!(),
            #place
            ignored: #ignored,
            count: #private::Count::#count,
            #takes_input
            #unroll
            body: #body,
            #settings
            #rest
        }
    }

    /// Returns the settings, if there are any. The benchmark has them in a static, whose symbol leads
    /// the tool to the functions that they name.
    fn settings(&self) -> Option<TokenStream> {
        let Benchmark { private, options: Options { settings, throughput, .. }, .. } = self;
        let (settings, units) = (settings.fields(private), throughput.units(private));
        let values = quote!(#settings #units);
        (!values.is_empty()).then(|| quote!(#private::Settings { #values ..#private::Settings::DEFAULT }))
    }

    /// Returns the name of an emitted item. With its span, the compiler reports errors at the
    /// function and doesn't apply the user's lints.
    fn named(&self, prefix: &str) -> Ident {
        let function = &self.signature.ident;
        local(&format!("{prefix}{}", function.unraw()), function.span())
    }
}
