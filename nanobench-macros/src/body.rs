//! What runs a function: one row as it is, or code that makes the rows.

use crate::callable;
use crate::instances::{self, Instances};
use crate::names::local;
use crate::number::Number;
use crate::options::Given;
use crate::rows::Rows;
use crate::run::{Bencher, argument};
use crate::state::Every;
use proc_macro2::{Span, TokenStream};
use quote::quote;

/// What there is to know of a function's rows.
pub(crate) struct Body<'a> {
    pub(crate) run: &'a Bencher<'a>,
    pub(crate) rows: &'a Rows,
    pub(crate) instances: Option<&'a Instances>,
    /// Of each row of a generic function.
    pub(crate) batch: Option<&'a Number>,
    /// Whether it is to run on several threads.
    pub(crate) threads: bool,
}

impl Body<'_> {
    /// The field `body` of an `Entry`.
    pub(crate) fn emit(&self) -> TokenStream {
        let private = self.run.private;
        if self.is_plain() {
            let run = self.run.closure();
            return quote!(#private::Body::Plain(#run));
        }
        let cases = local("nanobench_cases", Span::call_site());
        let row = self.row();
        let rows = match self.instances {
            None => row,
            Some(instances) => instances.emit(&row, private),
        };
        quote!(#private::Body::Cases(|#cases| { #rows }))
    }

    /// Whether the function is one row, with nothing to be done around its samples.
    pub(crate) fn is_plain(&self) -> bool {
        let Bencher { state, throughput, .. } = self.run;
        self.rows.args.is_none()
            && self.instances.is_none()
            && state.reset.is_none()
            && state.teardown.is_none()
            && state.every() == Every::Call
            && throughput.is_empty()
    }

    /// The statement that adds the row, or a row for each argument.
    fn row(&self) -> TokenStream {
        let private = self.run.private;
        let cases = local("nanobench_cases", Span::call_site());
        let case = self.case();
        let Some(Given { value: args, .. }) = &self.rows.args else { return quote!(#cases.add(#case);) };
        let argument = argument(Span::mixed_site());
        let text = instances::text(&quote!(#argument), private);
        quote!(#cases.each(#args, |#argument| #text, |#cases, #argument| #cases.add(#case));)
    }

    fn case(&self) -> TokenStream {
        let Bencher { state, private, .. } = self.run;
        let reset = state.reset.as_ref().map(|Given { value, .. }| {
            let reset = callable::closure(value);
            quote!(.reset(#reset))
        });
        // With a value that serves many calls, it is called where that is done with.
        let teardown = state.teardown.as_ref().filter(|_| state.every() == Every::Call);
        let teardown = teardown.map(|Given { value, .. }| {
            let teardown = callable::closure(value);
            quote!(.teardown(#teardown))
        });
        let batch = self.batch.map(|batch| quote!(.batch(#batch)));
        let case = match (&state.setup, state.every()) {
            (Some(setup), Every::Benchmark) => {
                let arguments = self.run.stateful(&setup.value);
                quote!(#private::Case::stateful(#arguments))
            }
            _ => {
                let run = self.run.closure();
                // Where threads are asked for, an argument that they can't share is an error. Elsewhere only the compiler knows.
                if self.threads || self.rows.args.is_none() {
                    quote!(#private::Case::shared(move #run))
                } else {
                    let argument = argument(Span::mixed_site());
                    quote!({
                        use #private::{LocalArg as _, SyncArg as _};
                        (&#private::Argument(#argument)).case(move #run)
                    })
                }
            }
        };
        quote!(#case #reset #teardown #batch)
    }
}
