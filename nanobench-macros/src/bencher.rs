//! The closure that passes a function to a method of the `Bencher`, which has the loop around it.

use crate::arguments::{argument, bencher, fixture, input_argument, input_variable, shared_input, state};
use crate::benchmark::Benchmark;
use crate::errors::Errors;
use crate::hygiene::local;
use crate::inputs::InputKind;
use crate::instances::Instances;
use crate::key_value::KeyValue;
use crate::lifetimes;
use crate::parameters::{self, Parameter, Passing};
use crate::setup;
use crate::signature::Parameters;
use crate::state::Every;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use std::iter;
use syn::Type;
use syn::spanned::Spanned as _;

/// An input that is made for each call.
struct PerCallInput<'a> {
    kind: InputKind,
    passing: Passing,
    ty: &'a Type,
}

/// The arguments of a call, and the parameters of the closure around it that they use.
struct CallArguments {
    arguments: Vec<TokenStream>,
    /// The parameter for the count.
    count: TokenStream,
    /// The parameter for the control of the clock.
    control: Option<TokenStream>,
}

/// Returns whether the function gets a reference to an input, from which its result may borrow.
fn lends(made: &[PerCallInput]) -> bool {
    made.iter().any(|made| !matches!(made.passing, Passing::Value))
}

/// Checks that no input of an unrolled call is made for one call.
pub(crate) fn check_unroll(unroll: &KeyValue<usize>, parameters: &Parameters, errors: &mut Errors) {
    let fix = "remove `unroll`; to do more work in a call, add `count: u64` and loop in the function";
    if parameters.inputs().any(|(_, kind)| kind.is_made_per_call()) {
        errors.at(&unroll.key, "`unroll` can't be used with an input made for each call", fix);
    } else if parameters.all.iter().any(|parameter| matches!(parameter, Parameter::TimeControl(_))) {
        errors.at(&unroll.key, "`unroll` can't be used with a `TimeControl`, which is for one call", fix);
    }
}

impl Benchmark<'_> {
    /// Returns the closure that the benchmark's body consists of: `|bencher| bencher.call(|count|
    /// f(count))`. It captures only the argument.
    pub(crate) fn closure(&self) -> TokenStream {
        let bencher = bencher();
        match (&self.options.state.setup, self.options.state.every()) {
            (Some(setup), Every::Sample) => {
                let (value, state) = (local("nanobench_value", Span::call_site()), state());
                let make = setup::setup_closure(&setup.value, self.has_args(), self.private);
                let teardown = self
                    .options
                    .state
                    .teardown
                    .as_ref()
                    .map(|teardown| setup::teardown_statement(&teardown.value, &value));
                let statements = self.statements();
                quote!(|#bencher| {
                    let mut #value = (#make)();
                    let #state = &mut #value;
                    #statements
                    #teardown
                })
            }
            _ if self.is_bare_call() => {
                let sampling = self.sampling(None);
                quote!(|#bencher| #sampling)
            }
            _ => {
                let statements = self.statements();
                quote!(|#bencher| { #statements })
            }
        }
    }

    /// Returns the arguments of `Case::stateful`.
    pub(crate) fn stateful(&self, setup: &syn::Expr) -> TokenStream {
        let (state, bencher) = (state(), bencher());
        let make = setup::setup_closure(setup, self.has_args(), self.private);
        let teardown =
            setup::teardown_closure(self.options.state.teardown.as_ref().map(|teardown| &teardown.value));
        let statements = self.statements();
        quote!(#make, move |#state, #bencher| { #statements }, #teardown)
    }

    /// Returns whether there is no code but the call.
    fn is_bare_call(&self) -> bool {
        self.options.throughput.is_empty() && self.prelude().is_empty() && self.shared_inputs().is_empty()
    }

    /// Returns the statements of the closure.
    fn statements(&self) -> TokenStream {
        let (prelude, inputs) = (self.prelude(), self.shared_inputs());
        if self.options.throughput.is_empty() {
            let sampling = self.sampling(None);
            return quote!(#prelude #inputs #sampling;);
        }
        let (bencher, private) = (bencher(), self.private);
        let every = self.options.state.every();
        if let (Some(setup_option), Every::Call) = (&self.options.state.setup, every) {
            // The amounts are measured after the calls: by then the compiler has inferred the
            // input's type.
            let (setup, input) = (
                local("nanobench_setup", Span::call_site()),
                input_variable(InputKind::Setup, Span::call_site()),
            );
            let make = setup::setup_closure(&setup_option.value, self.has_args(), private);
            let sampling = self.sampling(Some(quote!(&mut *#setup)));
            let beside = self.inputs_beside(true);
            let amounts =
                self.options.throughput.statements(&bencher, Some(&quote!(&#input)), &beside, private);
            return quote! {
                #prelude #inputs
                let #setup = &mut #make;
                #sampling;
                if #bencher.needs_throughput() { let #input = #setup(); #amounts }
            };
        }
        let (state, argument, fixture) = (state(), argument(Span::call_site()), fixture(Span::mixed_site()));
        let input = match &self.options.state.setup {
            Some(_) => Some(quote!(&*#state)),
            None if self.has_args() => Some(quote!(#argument)),
            None => self.options.state.fixture.as_ref().map(|_| quote!(#fixture)),
        };
        let beside = self.inputs_beside(self.options.state.setup.is_some());
        let amounts = self.options.throughput.statements(&bencher, input.as_ref(), &beside, private);
        let amounts = quote!(if #bencher.needs_throughput() { #amounts });
        let sampling = self.sampling(None);
        match &self.options.state.setup {
            // The calls may change the value.
            Some(_) => quote!(#prelude #amounts #inputs #sampling;),
            None => quote!(#prelude #inputs #sampling; #amounts),
        }
    }

    /// Returns the variables of the argument and of the fixture that come after the first input,
    /// which may be the value of `setup`.
    fn inputs_beside(&self, has_setup: bool) -> Vec<Ident> {
        let (place, options) = (Span::mixed_site(), self.options);
        let argument = self.has_args().then(|| argument(place));
        let fixture = options.state.fixture.is_some().then(|| fixture(place));
        argument.into_iter().chain(fixture).skip(usize::from(!has_setup)).collect()
    }

    /// Returns the definitions before the calls.
    fn prelude(&self) -> TokenStream {
        let private = self.private;
        let mut prelude = self.driver().prelude(private).unwrap_or_default();
        if let Some(option) = &self.options.state.fixture {
            let (fixture, make) = (fixture(Span::mixed_site()), &option.value);
            prelude.extend(quote!(let #fixture = #private::fixture(#make);));
        }
        prelude
    }

    /// Returns the definitions of the inputs that calls share.
    fn shared_inputs(&self) -> TokenStream {
        self.parameters
            .inputs()
            .filter_map(|(parameter, kind)| {
                let (passing, ty) = parameter.as_input()?;
                shared_input(kind, passing, ty, self.private)
            })
            .collect()
    }

    /// Returns the call of the bencher that samples the function. `setup` makes an input, if it has
    /// a variable already.
    fn sampling(&self, setup: Option<TokenStream>) -> TokenStream {
        let made: Vec<PerCallInput> = self
            .parameters
            .inputs()
            .filter(|(_, kind)| kind.is_made_per_call())
            .filter_map(|(parameter, kind)| {
                parameter.as_input().map(|(passing, ty)| PerCallInput { kind, passing, ty })
            })
            .collect();
        let mixed = made.len() > 1 && made.iter().any(|made| !matches!(made.passing, Passing::Value));
        let input = match &made[..] {
            [] => None,
            [one] => Some(input_variable(one.kind, one.ty.span()).into_token_stream()),
            all => {
                let inputs = all.iter().map(|made| input_variable(made.kind, made.ty.span()));
                Some(quote!((#(#inputs),*)))
            }
        };
        let CallArguments { arguments, count, control } = self.call_arguments(mixed);
        let call = self.driver().drive(self.call(&arguments), self.private);
        let borrows_from_state = lifetimes::borrows_from_state(self.signature, &self.parameters);
        let call = match borrows_from_state && control.is_none() {
            // The next call needs what the result borrows.
            true => quote!({ _ = ::core::hint::black_box(#call); }),
            false => call,
        };
        let (calls, bencher, method) = (self.unrolled(call), bencher(), self.method(&made));
        let maker = self.maker(&made, mixed, setup).into_iter();
        let closure = match (&control, lends(&made) || borrows_from_state) {
            // The closure can't return a result that borrows from the input.
            (Some(control), true) => {
                let result = local("_nanobench_result", Span::mixed_site());
                let input = input.into_iter();
                quote!(|#(#input,)* #count, #control| {
                    let #result = ::core::hint::black_box(#calls);
                    #control.pause();
                })
            }
            (None, true) if lends(&made) && !self.is_manual() => {
                let (inputs, segment) = (
                    local("nanobench_inputs", Span::mixed_site()),
                    local("nanobench_segment", Span::mixed_site()),
                );
                quote!(|#inputs, #segment| #segment.call(#inputs, |#input, #count| #calls))
            }
            (control, _) => {
                let parameters = input.iter().chain([&count]).chain(control);
                quote!(|#(#parameters),*| #calls)
            }
        };
        quote!(#bencher.#method(#(#maker,)* #closure))
    }

    /// Returns the call of the function.
    ///
    /// It goes through a function pointer, which rustc's own optimiser doesn't see through. So the
    /// function reaches LLVM as a separate function, whose parameters have the guarantees of their
    /// types: no one else changes the data behind a reference. LLVM keeps repeated loads and
    /// computations in registers, as in a program, and inlines the function into the loop after
    /// that.
    fn call(&self, arguments: &[TokenStream]) -> TokenStream {
        let (function, turbofish) =
            (&self.signature.ident, self.instances.as_ref().map(Instances::turbofish));
        if arguments.is_empty() {
            return quote!(#function #turbofish());
        }
        let parameters =
            self.parameters.all.iter().enumerate().map(|(index, parameter)| {
                local(&format!("nanobench_parameter_{index}"), parameter.ty().span())
            });
        let (parameters, types): (Vec<_>, Vec<_>) = parameters.map(|name| (name, quote!(_))).unzip();
        let place = Span::mixed_site().located_at(function.span());
        let call = quote!(#function #turbofish(#(#parameters),*));
        quote_spanned!(place=> ((|#(#parameters),*| #call) as fn(#(#types),*) -> _)(#(#arguments),*))
    }

    /// Returns the arguments of the function. `mixed`: some elements of the tuple of inputs are
    /// passed by reference.
    fn call_arguments(&self, mixed: bool) -> CallArguments {
        let (mut count, mut control) = (quote!(_), None);
        let mut kinds = self.parameters.kinds.iter();
        let mut arguments = Vec::new();
        for parameter in &self.parameters.all {
            arguments.push(match parameter {
                Parameter::Count(_, ty) => {
                    let variable = local("nanobench_count", ty.span());
                    count = variable.to_token_stream();
                    quote!(#variable as _)
                }
                Parameter::TimeControl(ty) => {
                    let variable = local("nanobench_control", ty.span());
                    control = Some(variable.to_token_stream());
                    variable.into_token_stream()
                }
                Parameter::Input(passing, ty) => match kinds.next() {
                    Some(kind) => input_argument(*kind, *passing, ty, mixed, self.private),
                    None => unreachable!("`InputOptions::assign` reports an input without an option"),
                },
            });
        }
        CallArguments { arguments, count, control }
    }

    /// Returns the calls of an iteration. An array keeps their results, so that they are dropped
    /// outside the timing. `black_box(())` makes the effects of one call visible to the next, as
    /// between two iterations.
    fn unrolled(&self, call: TokenStream) -> TokenStream {
        if self.unroll() == 1 {
            return call;
        }
        let calls = iter::repeat_n(quote!({ ::core::hint::black_box(()); #call }), self.unroll());
        quote!([#(#calls),*])
    }

    /// Returns the method of the bencher for the form of the function.
    fn method(&self, made: &[PerCallInput]) -> Ident {
        let is_controlled =
            self.parameters.all.iter().any(|parameter| matches!(parameter, Parameter::TimeControl(_)));
        let clock = match (self.is_manual(), is_controlled) {
            (true, _) => "_manual",
            (_, true) => "_controlled",
            _ => "",
        };
        let with = match made {
            [] => "",
            made if lends(made) => "_with_mut",
            _ => "_with",
        };
        format_ident!("call{clock}{with}")
    }

    /// Returns the closure that makes the inputs of a call. In a tuple of which some elements are
    /// passed by reference, those passed by value are `Option`s, to be taken out.
    fn maker(&self, made: &[PerCallInput], mixed: bool, setup: Option<TokenStream>) -> Option<TokenStream> {
        let make_setup = || match (setup.clone(), &self.options.state.setup) {
            (Some(setup), _) => setup,
            (None, Some(option)) => setup::setup_closure(&option.value, self.has_args(), self.private),
            (None, None) => unreachable!("an input of `setup` has a `setup`"),
        };
        match made {
            [] => None,
            [PerCallInput { kind: InputKind::Setup, .. }] => Some(make_setup()),
            [one] => {
                let clone = self.clone(one);
                Some(quote!(move || #clone))
            }
            all => {
                let make = local("nanobench_make", Span::call_site());
                let setup = make_setup();
                let values = all.iter().map(|made| {
                    let value = match made.kind {
                        InputKind::Setup => quote!(#make()),
                        _ => self.clone(made),
                    };
                    match (mixed, made.passing) {
                        (true, Passing::Value) => quote!(::core::option::Option::Some(#value)),
                        _ => value,
                    }
                });
                Some(quote!({ let mut #make = #setup; move || (#(#values),*) }))
            }
        }
    }

    /// Returns a clone of the argument. If it is passed by value, the argument may be a reference
    /// to it.
    fn clone(&self, made: &PerCallInput) -> TokenStream {
        let (argument, private) = (argument(made.ty.span()), self.private);
        match made.passing {
            Passing::Value if !parameters::has_impl(made.ty.to_token_stream()) => {
                let ty = lifetimes::inferred(made.ty);
                quote_spanned!(argument.span()=> #private::value::<#ty, _>(#argument))
            }
            _ => quote_spanned!(argument.span()=> ::core::clone::Clone::clone(#argument)),
        }
    }
}
