//! The field `body` of an `Entry`: the closure of one row, or a function that adds all rows.

use crate::arguments::argument;
use crate::benchmark::Benchmark;
use crate::callable::{self, Beside};
use crate::hygiene::{at, local};
use crate::instances;
use crate::key_value::KeyValue;
use crate::options::Options;
use crate::state::Every;
use crate::values::bare;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned as _;

impl Benchmark<'_> {
    /// Returns the value of the field.
    pub(crate) fn body(&self) -> TokenStream {
        let private = self.private;
        if self.is_plain() {
            let closure = self.closure();
            return quote!(#private::Body::Plain(#closure));
        }
        let cases = local("nanobench_cases", Span::call_site());
        let row = self.row();
        let rows = match &self.instances {
            None => row,
            Some(instances) => instances.emit(&row, private),
        };
        quote!(#private::Body::Cases(|#cases| { #rows }))
    }

    /// Returns whether the function has one row, without code around its samples.
    pub(crate) fn is_plain(&self) -> bool {
        let Options { state, throughput, .. } = self.options;
        !self.has_args()
            && self.instances.is_none()
            && state.reset.is_none()
            && state.teardown.is_none()
            && state.every() == Every::Call
            && throughput.is_empty()
    }

    /// Returns the statement that adds the row, or a row for each argument.
    fn row(&self) -> TokenStream {
        let private = self.private;
        let cases = local("nanobench_cases", Span::call_site());
        let case = self.case();
        let Some(KeyValue { value: args, .. }) = &self.options.rows.args else {
            return quote!(#cases.add(#case););
        };
        let argument = argument(Span::mixed_site());
        let index = local("nanobench_index", Span::mixed_site());
        let label = match &self.options.rows.label {
            None => {
                let text = instances::label_text(&quote!(#argument), private);
                quote!(#private::Label::from_value(#argument, #text, #index))
            }
            Some(KeyValue { value: label, .. }) => {
                let text = of_argument(label, &argument);
                at(label.span(), quote!(#private::Label::named(#argument, #text)))
            }
        };
        let size = self.options.rows.size.as_ref().map(|KeyValue { value: size, .. }| {
            let number = of_argument(size, &argument);
            let number = at(size.span(), quote!(#private::amount(&(), |()| #number)));
            quote!(.with_number(#number))
        });
        let index = if self.options.rows.label.is_some() { quote!(_) } else { quote!(#index) };
        let label = quote!(|#argument, #index| #label #size);
        quote!(#cases.each(#args, #label, |#cases, #argument| #cases.add(#case));)
    }

    fn case(&self) -> TokenStream {
        let (state, private) = (&self.options.state, self.private);
        let reset = state.reset.as_ref().map(|KeyValue { value, .. }| {
            let reset = callable::closure(value);
            quote!(.reset(#reset))
        });
        // Otherwise, it is called with the shared value of `setup`.
        let teardown = state.teardown.as_ref().filter(|_| state.every() == Every::Call);
        let teardown = teardown.map(|KeyValue { value, .. }| {
            let teardown = callable::closure(value);
            quote!(.teardown(#teardown))
        });
        let argument_name = argument(Span::mixed_site());
        let batch = self.batch.as_ref().map(ToTokens::to_token_stream);
        let batch = batch.or(self.options.rows.batch.as_ref().map(|KeyValue { value, .. }| {
            let number = of_argument(value, &argument_name);
            at(value.span(), quote!(#private::units(&(), |()| #number)))
        }));
        let batch = batch.map(|batch| quote!(.batch(#batch)));
        let unit = self.options.rows.unit.as_ref().map(|KeyValue { value, .. }| {
            let unit = of_argument(value, &argument_name);
            let unit = at(value.span(), quote!(#private::unit_name(#unit)));
            quote!(.unit(#unit))
        });
        let case = match (&state.setup, state.every()) {
            (Some(setup), Every::Benchmark) => {
                let arguments = self.stateful(&setup.value);
                quote!(#private::Case::stateful(#arguments))
            }
            _ => {
                let closure = self.closure();
                // With `threads`, an argument that isn't `Sync` is an error. Without, the compiler
                // selects one of the two traits: threads may still be requested on the command
                // line.
                if self.options.settings.threads().is_some() || !self.has_args() {
                    quote!(#private::Case::shared(move #closure))
                } else {
                    let argument = argument(Span::mixed_site());
                    quote!({
                        use #private::{LocalArg as _, SyncArg as _};
                        (&#private::Argument(#argument)).case(move #closure)
                    })
                }
            }
        };
        quote!(#case #reset #teardown #batch #unit)
    }
}

/// Returns the call of an option with a reference to the argument.
fn of_argument(option: &Expr, argument: &Ident) -> TokenStream {
    match bare(option) {
        Expr::Path(path) => quote_spanned!(argument.span().located_at(path.span())=> #path(#argument)),
        option => {
            let closure = callable::bind_beside(option, 0, &[Beside::Reference(argument.clone())]);
            quote!((#closure)())
        }
    }
}
