//! The closure that has the harness call the function, in the loop that fits its form.

use crate::callable;
use crate::errors::Errors;
use crate::options::Given;
use crate::parameters::{Parameter, Passing};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::iter;
use syn::Expr;
use syn::spanned::Spanned as _;

/// How the function is called.
pub(crate) struct Run<'a> {
    function: &'a Ident,
    parameters: Vec<Parameter>,
    /// The closure that makes an input.
    setup: Option<TokenStream>,
    /// How often the call stands in an iteration.
    unroll: usize,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        function: &'a Ident,
        parameters: Vec<Parameter>,
        setup: Option<Given<Expr>>,
        unroll: Option<Given<usize>>,
        errors: &mut Errors,
    ) -> Run<'a> {
        if let Some(Given { key, .. }) = &unroll {
            let instead =
                "leave `unroll` out; to do more in a call, add `count: u64` and loop in the function";
            if setup.is_some() {
                errors.at(key, "each call takes an input of its own, so calls can't be unrolled", instead);
            } else if parameters.iter().any(|parameter| matches!(parameter, Parameter::TimeControl(_))) {
                errors.at(key, "a `TimeControl` is for one call, so calls can't be unrolled", instead);
            }
        }
        let unroll = unroll.map_or(1, |unroll| unroll.value);
        Run { function, parameters, setup: setup.map(|setup| callable::closure(&setup.value)), unroll }
    }

    /// The field `unroll` of an `Entry`.
    pub(crate) fn unroll(&self) -> Option<TokenStream> {
        let times = Literal::usize_unsuffixed(self.unroll);
        (self.unroll > 1).then(|| quote!(unroll: #times,))
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
    fn method(&self) -> Ident {
        let (mut controlled, mut with) = ("", "");
        for parameter in &self.parameters {
            match parameter {
                Parameter::Count(..) => {}
                Parameter::TimeControl(_) => controlled = "_controlled",
                Parameter::Input(Passing::Value, _) => with = "_with",
                Parameter::Input(Passing::Shared | Passing::Exclusive, _) => with = "_with_mut",
            }
        }
        format_ident!("call{controlled}{with}")
    }
}

impl ToTokens for Run<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Run { function, parameters, setup, .. } = self;
        // What the closure takes: the input, the count, the control.
        let mut takes = [None, Some(quote!(_)), None];
        let arguments: Vec<TokenStream> = parameters
            .iter()
            .map(|parameter| {
                let (place, name, ty) = match parameter {
                    Parameter::Input(_, ty) => (0, "nanobench_input", ty),
                    Parameter::Count(_, ty) => (1, "nanobench_count", ty),
                    Parameter::TimeControl(ty) => (2, "nanobench_control", ty),
                };
                let name = closure_parameter(name, ty.span());
                takes[place] = Some(name.to_token_stream());
                match parameter {
                    Parameter::Count(..) => quote!(#name as _),
                    Parameter::Input(Passing::Shared, _) => quote_spanned!(name.span()=> &*#name),
                    Parameter::Input(..) | Parameter::TimeControl(_) => quote!(#name),
                }
            })
            .collect();
        let calls = self.calls(quote!(#function(#(#arguments),*)));
        let run = closure_parameter("nanobench_run", Span::mixed_site());
        let (method, setup, takes) = (self.method(), setup.iter(), takes.iter().flatten());
        tokens.extend(quote!(|#run| #run.#method(#(#setup,)* |#(#takes),*| #calls)));
    }
}

/// A parameter that can't be mistaken for the user's names: `mixed_site` sets it apart. Where its type is not the one
/// that the function takes, the compiler says so at `place`, the type of the function's parameter.
fn closure_parameter(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}
