//! The field `body` of an `Entry`: the closure of one row, or a function that adds all rows.

use crate::arguments::argument;
use crate::bencher::BencherClosure;
use crate::callable;
use crate::hygiene::local;
use crate::instances::{self, Instances};
use crate::key_value::KeyValue;
use crate::number::Number;
use crate::rows::Rows;
use crate::state::Every;
use proc_macro2::{Span, TokenStream};
use quote::quote;

pub(crate) struct Body<'a> {
    pub(crate) closure: &'a BencherClosure<'a>,
    pub(crate) rows: &'a Rows,
    pub(crate) instances: Option<&'a Instances>,
    /// The option `batch` of a generic function, whose rows may differ in it.
    pub(crate) batch: Option<&'a Number>,
    pub(crate) has_threads: bool,
}

impl Body<'_> {
    /// Returns the value of the field.
    pub(crate) fn emit(&self) -> TokenStream {
        let private = self.closure.private;
        if self.is_plain() {
            let closure = self.closure.emit();
            return quote!(#private::Body::Plain(#closure));
        }
        let cases = local("nanobench_cases", Span::call_site());
        let row = self.row();
        let rows = match self.instances {
            None => row,
            Some(instances) => instances.emit(&row, private),
        };
        quote!(#private::Body::Cases(|#cases| { #rows }))
    }

    /// Returns whether the function has one row, without code around its samples.
    pub(crate) fn is_plain(&self) -> bool {
        let BencherClosure { state, throughput, .. } = self.closure;
        self.rows.args.is_none()
            && self.instances.is_none()
            && state.reset.is_none()
            && state.teardown.is_none()
            && state.every() == Every::Call
            && throughput.is_empty()
    }

    /// Returns the statement that adds the row, or a row for each argument.
    fn row(&self) -> TokenStream {
        let private = self.closure.private;
        let cases = local("nanobench_cases", Span::call_site());
        let case = self.case();
        let Some(KeyValue { value: args, .. }) = &self.rows.args else { return quote!(#cases.add(#case);) };
        let argument = argument(Span::mixed_site());
        let text = instances::label_text(&quote!(#argument), private);
        quote!(#cases.each(#args, |#argument| #text, |#cases, #argument| #cases.add(#case));)
    }

    fn case(&self) -> TokenStream {
        let BencherClosure { state, private, .. } = self.closure;
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
        let batch = self.batch.map(|batch| quote!(.batch(#batch)));
        let case = match (&state.setup, state.every()) {
            (Some(setup), Every::Benchmark) => {
                let arguments = self.closure.stateful(&setup.value);
                quote!(#private::Case::stateful(#arguments))
            }
            _ => {
                let closure = self.closure.emit();
                // With `threads`, an argument that isn't `Sync` is an error. Without, the compiler
                // selects one of the two traits: threads may still be requested on the command
                // line.
                if self.has_threads || self.rows.args.is_none() {
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
        quote!(#case #reset #teardown #batch)
    }
}
