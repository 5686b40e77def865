//! The closure that has the harness call the function, in the loop that fits its form.

use crate::errors::Errors;
use crate::inputs::Source;
use crate::names::local;
use crate::options::Given;
use crate::parameters::{Parameter, Passing};
use crate::runtime::Driver;
use crate::setup;
use crate::signature::Parameters;
use crate::state::{Every, State};
use crate::throughput::Throughput;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use std::iter;
use syn::Type;
use syn::spanned::Spanned as _;

/// How the function is called.
pub(crate) struct Bencher<'a> {
    /// With its generic arguments.
    pub(crate) function: TokenStream,
    pub(crate) parameters: &'a Parameters,
    pub(crate) state: &'a State,
    pub(crate) has_args: bool,
    pub(crate) throughput: &'a Throughput,
    /// How often the call stands in an iteration.
    pub(crate) unroll: usize,
    pub(crate) driver: Driver<'a>,
    /// The path of what the expansion needs of nanobench.
    pub(crate) private: &'a TokenStream,
}

/// A value that is made for each call.
struct Made<'a> {
    source: Source,
    passing: Passing,
    ty: &'a Type,
}

/// Calls can be written out one after the other where they take nothing that is for one call.
pub(crate) fn check_unroll(unroll: &Given<usize>, parameters: &Parameters, errors: &mut Errors) {
    let instead = "leave `unroll` out; to do more in a call, add `count: u64` and loop in the function";
    if parameters.inputs().any(|(_, source)| source.is_made()) {
        errors.at(&unroll.key, "each call takes an input of its own, so calls can't be unrolled", instead);
    } else if parameters.all.iter().any(|parameter| matches!(parameter, Parameter::TimeControl(_))) {
        errors.at(&unroll.key, "a `TimeControl` is for one call, so calls can't be unrolled", instead);
    }
}

impl Bencher<'_> {
    /// The field `unroll` of an `Entry`.
    pub(crate) fn unroll(&self) -> Option<TokenStream> {
        let times = Literal::usize_unsuffixed(self.unroll);
        (self.unroll > 1).then(|| quote!(unroll: #times,))
    }

    /// The closure that captures nothing but the argument.
    pub(crate) fn closure(&self) -> TokenStream {
        let run = run();
        match (&self.state.setup, self.state.every()) {
            (Some(setup), Every::Sample) => {
                let (value, state) = (local("nanobench_value", Span::call_site()), state());
                let make = setup::maker(&setup.value, self.has_args, self.private);
                let teardown =
                    self.state.teardown.as_ref().map(|teardown| setup::teardown(&teardown.value, &value));
                let body = self.body();
                quote!(|#run| {
                    let mut #value = (#make)();
                    let #state = &mut #value;
                    #body
                    #teardown
                })
            }
            _ if self.is_plain() => {
                let calls = self.timed(None);
                quote!(|#run| #calls)
            }
            _ => {
                let body = self.body();
                quote!(|#run| { #body })
            }
        }
    }

    /// The arguments of `Case::stateful`.
    pub(crate) fn stateful(&self, setup: &syn::Expr) -> TokenStream {
        let (state, run) = (state(), run());
        let make = setup::maker(setup, self.has_args, self.private);
        let teardown = setup::teardown_function(self.state.teardown.as_ref().map(|given| &given.value));
        let body = self.body();
        quote!(#make, move |#state, #run| { #body }, #teardown)
    }

    /// Whether there is nothing but the call.
    fn is_plain(&self) -> bool {
        self.throughput.is_empty() && self.prelude().is_empty()
    }

    /// The calls, with what goes before and after them, as statements.
    fn body(&self) -> TokenStream {
        let prelude = self.prelude();
        if self.throughput.is_empty() {
            let calls = self.timed(None);
            return quote!(#prelude #calls;);
        }
        let (run, private) = (run(), self.private);
        let every = self.state.every();
        if let (Some(given), Every::Call) = (&self.state.setup, every) {
            // The input is looked at after the calls: by then the compiler knows of what type the function takes it.
            let (setup, input) =
                (local("nanobench_setup", Span::call_site()), input_of(Source::Setup, Span::call_site()));
            let make = setup::maker(&given.value, self.has_args, private);
            let calls = self.timed(Some(quote!(&mut *#setup)));
            let answers = self.throughput.answers(&run, Some(&quote!(&#input)), private);
            return quote! {
                #prelude
                let #setup = &mut #make;
                #calls;
                if #run.needs_throughput() { let #input = #setup(); #answers }
            };
        }
        let (state, argument, fixture) = (state(), argument(Span::call_site()), fixture());
        let input = match &self.state.setup {
            Some(_) => Some(quote!(&*#state)),
            None if self.has_args => Some(quote!(#argument)),
            None => self.state.fixture.as_ref().map(|_| quote!(#fixture)),
        };
        let answers = self.throughput.answers(&run, input.as_ref(), private);
        let answers = quote!(if #run.needs_throughput() { #answers });
        let calls = self.timed(None);
        match &self.state.setup {
            // The calls may change it.
            Some(_) => quote!(#prelude #answers #calls;),
            None => quote!(#prelude #calls; #answers),
        }
    }

    /// What is made before the calls.
    fn prelude(&self) -> TokenStream {
        let private = self.private;
        let mut prelude = self.driver.prelude(private).unwrap_or_default();
        if let Some(given) = &self.state.fixture {
            let (fixture, make) = (fixture(), &given.value);
            prelude.extend(quote!(let #fixture = #private::fixture(#make);));
        }
        for (parameter, source) in self.parameters.inputs() {
            if let (Source::Argument, Some((Passing::Value, ty))) = (source, parameter.as_input()) {
                let (copy, argument) = (copy(ty.span()), argument(ty.span()));
                prelude.extend(
                    quote_spanned!(argument.span()=> let #copy = #private::value::<#ty, _>(#argument);),
                );
            }
        }
        prelude
    }

    /// The order to call the function. `setup` is what makes an input, if it has a name already.
    fn timed(&self, setup: Option<TokenStream>) -> TokenStream {
        let made: Vec<Made> = self
            .parameters
            .inputs()
            .filter(|(_, source)| source.is_made())
            .filter_map(|(parameter, source)| {
                parameter.as_input().map(|(passing, ty)| Made { source, passing, ty })
            })
            .collect();
        let mixed = made.len() > 1 && made.iter().any(|made| !matches!(made.passing, Passing::Value));
        // What the closure takes: the input, the count, the control.
        let mut takes = [None, Some(quote!(_)), None];
        takes[0] = match &made[..] {
            [] => None,
            [one] => Some(input_of(one.source, one.ty.span()).into_token_stream()),
            all => {
                let inputs = all.iter().map(|made| input_of(made.source, made.ty.span()));
                Some(quote!((#(#inputs),*)))
            }
        };
        let mut sources = self.parameters.sources.iter();
        let mut arguments = Vec::new();
        for parameter in &self.parameters.all {
            arguments.push(match parameter {
                Parameter::Count(_, ty) => {
                    let count = local("nanobench_count", ty.span());
                    takes[1] = Some(count.to_token_stream());
                    quote!(#count as _)
                }
                Parameter::TimeControl(ty) => {
                    let control = local("nanobench_control", ty.span());
                    takes[2] = Some(control.to_token_stream());
                    control.to_token_stream()
                }
                Parameter::Input(passing, ty) => match sources.next() {
                    Some(source) => passed(*source, *passing, ty, mixed),
                    None => unreachable!("an input without a source is an error"),
                },
            });
        }
        let function = &self.function;
        let call = self.driver.drive(quote!(#function(#(#arguments),*)), self.private);
        let (calls, run, method) = (self.calls(call), run(), self.method(&made));
        let maker = self.maker(&made, mixed, setup);
        let (maker, takes) = (maker.iter(), takes.iter().flatten());
        quote!(#run.#method(#(#maker,)* |#(#takes),*| #calls))
    }

    /// The call, as often as it is to be written out. It is an array that keeps the results, for them to be dropped
    /// outside the timing. As between two iterations, what one call leaves in memory is there for the next.
    fn calls(&self, call: TokenStream) -> TokenStream {
        if self.unroll == 1 {
            return call;
        }
        let calls = iter::repeat_n(quote!({ ::core::hint::black_box(()); #call }), self.unroll);
        quote!([#(#calls),*])
    }

    /// The method of the harness that has the loop.
    fn method(&self, made: &[Made]) -> Ident {
        let is_controlled =
            self.parameters.all.iter().any(|parameter| matches!(parameter, Parameter::TimeControl(_)));
        let controlled = if is_controlled { "_controlled" } else { "" };
        let with = match made {
            [] => "",
            made if made.iter().all(|made| matches!(made.passing, Passing::Value)) => "_with",
            _ => "_with_mut",
        };
        format_ident!("call{controlled}{with}")
    }

    /// What makes the input of a call: all that is made for it. What is passed by value out of a tuple of which something
    /// is passed by reference is in an `Option`, to be taken out of there.
    fn maker(&self, made: &[Made], mixed: bool, setup: Option<TokenStream>) -> Option<TokenStream> {
        let make_setup = || match (setup.clone(), &self.state.setup) {
            (Some(setup), _) => setup,
            (None, Some(given)) => setup::maker(&given.value, self.has_args, self.private),
            (None, None) => unreachable!("there is a value of `setup`, and no `setup`"),
        };
        match made {
            [] => None,
            [Made { source: Source::Setup, .. }] => Some(make_setup()),
            [one] => {
                let clone = self.clone(one);
                Some(quote!(move || #clone))
            }
            all => {
                let make = local("nanobench_make", Span::call_site());
                let setup = make_setup();
                let values = all.iter().map(|made| {
                    let value = match made.source {
                        Source::Setup => quote!(#make()),
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

    /// A clone of the argument. By value it may be one of what the argument refers to.
    fn clone(&self, made: &Made) -> TokenStream {
        let (argument, private) = (argument(made.ty.span()), self.private);
        match made.passing {
            Passing::Value => {
                let ty = made.ty;
                quote_spanned!(argument.span()=> #private::value::<#ty, _>(#argument))
            }
            _ => quote_spanned!(argument.span()=> ::core::clone::Clone::clone(#argument)),
        }
    }
}

/// How an input is passed to the function. What is the same in each call is hidden from the optimiser, so that it can't
/// compute the result once for all.
fn passed(source: Source, passing: Passing, ty: &Type, mixed: bool) -> TokenStream {
    let place = Span::mixed_site().located_at(ty.span());
    let input = input_of(source, ty.span());
    match (source, passing) {
        (Source::Setup | Source::Clone, Passing::Value) if mixed => quote_spanned! {place=>
            ::core::option::Option::expect(::core::option::Option::take(#input), "it is there for this call")
        },
        (Source::Setup | Source::Clone, Passing::Shared) => quote_spanned!(place=> &*#input),
        (Source::Setup | Source::Clone, _) => quote!(#input),
        (Source::State, Passing::Exclusive) => {
            let state = state();
            quote_spanned!(place=> ::core::hint::black_box(&mut *#state))
        }
        (Source::State, _) => {
            let state = state();
            quote_spanned!(place=> ::core::hint::black_box(&*#state))
        }
        (Source::Argument, Passing::Value) => {
            let copy = copy(ty.span());
            quote_spanned!(place=> ::core::hint::black_box(#copy))
        }
        (Source::Argument, _) => {
            let argument = argument(ty.span());
            quote_spanned!(place=> ::core::hint::black_box(#argument))
        }
        (Source::Fixture, _) => {
            let fixture = local("nanobench_fixture", ty.span());
            quote_spanned!(place=> ::core::hint::black_box(#fixture))
        }
    }
}

/// The variable of what is made for a call.
fn input_of(source: Source, place: Span) -> Ident {
    local(if source == Source::Clone { "nanobench_clone" } else { "nanobench_input" }, place)
}

fn run() -> Ident {
    local("nanobench_run", Span::mixed_site())
}

fn state() -> Ident {
    local("nanobench_state", Span::mixed_site())
}

fn fixture() -> Ident {
    local("nanobench_fixture", Span::mixed_site())
}

fn copy(place: Span) -> Ident {
    local("nanobench_copy", place)
}

/// A reference to the argument of the row.
pub(crate) fn argument(place: Span) -> Ident {
    local("nanobench_argument", place)
}
