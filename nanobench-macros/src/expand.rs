//! Expands a marked function: the function itself, its benchmark and its test.

use crate::attributes::{self, Attributes};
use crate::bencher::{self, BencherClosure};
use crate::body::Body;
use crate::count::{self, Count};
use crate::errors::Errors;
use crate::group::{self, Module};
use crate::hygiene::local;
use crate::input_options::InputOptions;
use crate::inputs;
use crate::instances::{self, Instances};
use crate::item::Item;
use crate::key_value::KeyValue;
use crate::options::{self, Options, Target};
use crate::runtime::{self, Driver};
use crate::settings::Settings;
use crate::signature::{self, Parameters};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{LitStr, Signature};

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
    let checked = check(&item.signature, &mut options, &mut errors);
    let (kept, function) = (&attributes.kept, &item.tokens);
    if !errors.is_empty() {
        let errors = errors.into_compile_errors();
        return quote!(#(#kept)* #[allow(dead_code)] #function #errors);
    }
    // The timed loop may be in another codegen unit. Without `inline`, each iteration would be a
    // call.
    let inline = (!attributes.has_inline).then(|| quote!(#[cfg_attr(test, inline)]));
    let benchmark = benchmark(&item.signature, &attributes, &mut options, checked);
    quote! {
        #(#kept)*
        #inline
        #function
        #benchmark
    }
}

/// The results of checking a function against its options.
struct Checked {
    instances: Option<Instances>,
    parameters: Parameters,
    count: Count,
}

fn check(signature: &Signature, options: &mut Options, errors: &mut Errors) -> Checked {
    let instances = instances::check(signature, &options.rows, errors);
    instances::check_settings(signature, options, errors);
    let parameters = signature::check(signature, &InputOptions::new(options), errors);
    if options.rows.args.is_none() && options.state.fixture.is_none() {
        inputs::check_tuple(signature, &parameters.all, options.state.setup.as_ref(), errors);
    }
    inputs::check_settings(signature, &options.settings, options.has_input(), errors);
    let count = count::resolve(options.count.take(), &parameters.all, signature, errors);
    options.throughput.check(options.has_input(), errors);
    runtime::check(options.runtime.as_ref(), signature, errors);
    options.settings.check_baseline(&signature.ident, errors);
    options.state.check_threads(options.settings.threads(), errors);
    if let Some(unroll) = &options.unroll {
        bencher::check_unroll(unroll, &parameters, errors);
    }
    Checked { instances, parameters, count }
}

/// Returns the benchmark of a valid function.
fn benchmark(
    signature: &Signature,
    attributes: &Attributes,
    options: &mut Options,
    checked: Checked,
) -> TokenStream {
    let Checked { instances, parameters, count } = checked;
    let private = options::private_path(options.krate.as_ref());
    let batch = instances.is_some().then(|| options.settings.take_batch()).flatten();
    let (function, turbofish) = (&signature.ident, instances.as_ref().map(Instances::turbofish));
    let closure = BencherClosure {
        function: quote!(#function #turbofish),
        parameters: &parameters,
        state: &options.state,
        has_args: options.rows.args.is_some(),
        throughput: &options.throughput,
        unroll: options.unroll.as_ref().map_or(1, |unroll| unroll.value),
        driver: Driver::new(signature, options.runtime.as_ref()),
        private: &private,
    };
    let body = Body {
        closure: &closure,
        rows: &options.rows,
        instances: instances.as_ref(),
        batch: batch.as_ref(),
        has_threads: options.settings.threads().is_some(),
    };
    let is_plain = body.is_plain() && options.runtime.is_none();
    let (body, settings, name) = (body.emit(), &options.settings, options.name.as_ref());
    Benchmark {
        function,
        attributes,
        name,
        count,
        closure: &closure,
        body,
        is_plain,
        settings,
        private: &private,
    }
    .emit()
}

/// The parts of a valid benchmark.
struct Benchmark<'a> {
    function: &'a Ident,
    attributes: &'a Attributes,
    name: Option<&'a KeyValue<LitStr>>,
    count: Count,
    closure: &'a BencherClosure<'a>,
    body: TokenStream,
    /// True if `setup` is the only code of the user in the body.
    is_plain: bool,
    settings: &'a Settings,
    /// The path of the items that the expansion uses.
    private: &'a TokenStream,
}

impl Benchmark<'_> {
    /// Returns the items of the benchmark. All paths are absolute: the items around the function
    /// may have any names.
    fn emit(&self) -> TokenStream {
        let private = &self.private;
        let Attributes { conditions, ignores, .. } = self.attributes;
        let when = quote!(#(#conditions)* #[cfg(test)]);
        let entry = self.named("NANOBENCH_ENTRY_");
        let test = self.named("nanobench_");
        // Some expansions need a closure even if it only calls a function.
        let lints = (!self.is_plain)
            .then(|| quote!(#[allow(clippy::redundant_closure, clippy::redundant_closure_for_method_calls, clippy::redundant_closure_call)]));
        let marker_end = format!("::{test}\u{2}");
        let (fields, baseline) = (self.fields(), self.settings.baseline_check());
        let baseline = baseline.map(|check| quote!(#(#conditions)* #check));
        quote! {
            #baseline

            // Without `cfg(test)`, this constant checks and uses the items of the benchmark.
            #(#conditions)*
            #[cfg(not(test))]
            #lints
            const _: #private::Entry = #private::Entry { #fields };

            #when
            #lints
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
        let Benchmark { count, closure, body, private, .. } = self;
        let function = self.function.unraw().to_string();
        let name = match self.name {
            None => quote!(::core::option::Option::None),
            Some(KeyValue { value: name, .. }) => quote!(::core::option::Option::Some(#name)),
        };
        let Attributes { description, ignored, .. } = self.attributes;
        let (unroll, units) = (closure.unroll(), closure.throughput.units(private));
        let settings = self.settings.fields(private);
        let settings = quote!(#settings #units);
        // Most functions have no settings. Omitting the field saves compile time.
        let settings = (!settings.is_empty())
            .then(|| quote!(settings: &#private::Settings { #settings ..#private::Settings::DEFAULT },));
        let has_default = unroll.is_none() || settings.is_none();
        let rest = has_default.then(|| quote!(..#private::Entry::DEFAULT));
        quote! {
            module_path: ::core::module_path!(),
            function: #function,
            name: #name,
            description: #description,
            file: ::core::file!(),
            line: ::core::line!(),
            ignored: #ignored,
            count: #private::Count::#count,
            #unroll
            body: #body,
            #settings
            #rest
        }
    }

    /// Returns the name of an emitted item. With its span, the compiler reports errors at the
    /// function and doesn't apply the user's lints.
    fn named(&self, prefix: &str) -> Ident {
        local(&format!("{prefix}{}", self.function.unraw()), self.function.span())
    }
}
