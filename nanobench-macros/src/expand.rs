//! Puts together what stands in the place of a marked function.

use crate::attributes::{self, Attributes};
use crate::body::Body;
use crate::count::{self, Count};
use crate::errors::Errors;
use crate::group::{self, Module};
use crate::inputs::{self, Origins};
use crate::instances::{self, Instances};
use crate::item::Item;
use crate::names::local;
use crate::options::{self, Given, Options, Target};
use crate::run::{self, Bencher};
use crate::runtime::{self, Driver};
use crate::settings::Settings;
use crate::signature;
use crate::state;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{LitStr, Signature};

/// The item as it was written and what it is for the harness, or the errors that are in the way of that.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    if Module::stands(&item) {
        return group::expand(options, item);
    }
    let item: Item = match syn::parse2(item.clone()) {
        Ok(item) => item,
        Err(error) => return [error.into_compile_error(), item].into_iter().collect(),
    };
    let mut errors = Errors::default();
    let mut options = options::parse(options, Target::Function, &mut errors);
    let attributes = attributes::sort(item.attributes, &mut errors);
    let benchmark = benchmark(&item.signature, &attributes, &mut options, &mut errors);

    let (kept, written) = (&attributes.kept, &item.written);
    if !errors.is_empty() {
        let errors = errors.into_compile_errors();
        return quote!(#(#kept)* #[allow(dead_code)] #written #errors);
    }
    // The timed loop is compiled in another codegen unit as often as not; without this, each iteration would be a call.
    let inline = (!attributes.inlined).then(|| quote!(#[cfg_attr(test, inline)]));
    quote! {
        #(#kept)*
        #inline
        #written
        #benchmark
    }
}

/// The benchmark of a function, unless there are errors.
fn benchmark(
    signature: &Signature,
    attributes: &Attributes,
    options: &mut Options,
    errors: &mut Errors,
) -> TokenStream {
    let instances = instances::check(signature, &options.rows, errors);
    instances::check_settings(signature, options, errors);
    let parameters = signature::check(signature, &Origins::new(options), errors);
    if options.rows.args.is_none() && options.state.fixture.is_none() {
        inputs::check_tuple(signature, &parameters.all, options.state.setup.as_ref(), errors);
    }
    inputs::check_settings(signature, &options.settings, options.has_input(), errors);
    let count = count::resolve(options.count.take(), &parameters.all, signature, errors);
    options.throughput.check(options.has_input(), errors);
    runtime::check(options.runtime.as_ref(), signature, errors);
    options.settings.check_baseline_of(&signature.ident, errors);
    state::check_threads(&options.state, options.settings.threads(), errors);
    if let Some(unroll) = &options.unroll {
        run::check_unroll(unroll, &parameters, errors);
    }
    if !errors.is_empty() {
        return TokenStream::new();
    }
    let private = match &options.krate {
        None => quote!(::nanobench::__private),
        Some(Given { value: path, .. }) => quote!(#path::__private),
    };
    let batch = instances.is_some().then(|| options.settings.take_batch()).flatten();
    let (function, turbofish) = (&signature.ident, instances.as_ref().map(Instances::turbofish));
    let run = Bencher {
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
        run: &run,
        rows: &options.rows,
        instances: instances.as_ref(),
        batch: batch.as_ref(),
        threads: options.settings.threads().is_some(),
    };
    let is_plain = body.is_plain() && options.runtime.is_none();
    let (body, settings, name) = (body.emit(), &options.settings, options.name.as_ref());
    Benchmark { function, attributes, name, count, run: &run, body, is_plain, settings, private: &private }
        .emit()
}

/// What there is to say of a function without errors.
struct Benchmark<'a> {
    function: &'a Ident,
    attributes: &'a Attributes,
    name: Option<&'a Given<LitStr>>,
    count: Count,
    run: &'a Bencher<'a>,
    body: TokenStream,
    /// Whether the body has nothing of the user's but a `setup`.
    is_plain: bool,
    settings: &'a Settings,
    /// The path of what the expansion needs of nanobench.
    private: &'a TokenStream,
}

impl Benchmark<'_> {
    /// Every path is absolute: what stands around the function may have any name.
    fn emit(&self) -> TokenStream {
        let private = &self.private;
        let Attributes { conditions, ignores, .. } = self.attributes;
        let when = quote!(#(#conditions)* #[cfg(test)]);
        let entry = self.named("NANOBENCH_ENTRY_");
        let test = self.named("nanobench_");
        // For some options a function is something else than a closure that calls it.
        let lints = (!self.is_plain)
            .then(|| quote!(#[allow(clippy::redundant_closure, clippy::redundant_closure_for_method_calls, clippy::redundant_closure_call)]));
        let marker_end = format!("::{test}\u{2}");
        let (fields, baseline) = (self.fields(), self.settings.check_of_baseline());
        // Next to the function, where its conditions hold, too.
        let baseline = baseline.map(|check| quote!(#(#conditions)* #check));
        quote! {
            #baseline

            // Where nothing is tested, this is how all that a benchmark needs is checked and in use.
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
        let Benchmark { count, run, body, private, .. } = self;
        let function = self.function.unraw().to_string();
        let name = match self.name {
            None => quote!(::core::option::Option::None),
            Some(Given { value: name, .. }) => quote!(::core::option::Option::Some(#name)),
        };
        let Attributes { description, ignored, .. } = self.attributes;
        let (unroll, units) = (run.unroll(), run.throughput.units());
        let settings = self.settings.fields(private);
        let settings = quote!(#settings #units);
        // Most functions ask for nothing, and there is nothing to compile.
        let settings = (!settings.is_empty())
            .then(|| quote!(settings: &#private::Settings { #settings ..#private::Settings::DEFAULT },));
        let given = [unroll.is_some(), settings.is_some()];
        let rest = given.contains(&false).then(|| quote!(..#private::Entry::DEFAULT));
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

    /// An item of the function's own. The compiler names the function for it, and spares it the user's lints.
    fn named(&self, prefix: &str) -> Ident {
        local(&format!("{prefix}{}", self.function.unraw()), self.function.span())
    }
}
