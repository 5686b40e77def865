//! The options that supply the inputs of a function.

use crate::key_value::KeyValue;
use crate::options::Options;
use crate::state::Every;
use syn::Ident;

/// An option that supplies an input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Supplier {
    Setup,
    Args,
    Fixture,
}

impl Supplier {
    /// Returns the name of the input in errors.
    pub(crate) fn input(self) -> &'static str {
        match self {
            Supplier::Setup => "the value of `setup`",
            Supplier::Args => "the argument",
            Supplier::Fixture => "the fixture",
        }
    }
}

/// The options that supply inputs.
pub(crate) struct InputOptions<'a> {
    /// The suppliers with their keys, in the order of the parameters.
    pub(crate) suppliers: Vec<(Supplier, &'a Ident)>,
    pub(crate) every: Every,
    /// `setup` takes the argument, so that the function need not.
    pub(crate) setup_takes_argument: bool,
    /// A misspelled option may supply another input.
    pub(crate) may_have_more: bool,
}

impl<'a> InputOptions<'a> {
    pub(crate) fn new(options: &'a Options) -> InputOptions<'a> {
        let Options { state, rows, has_unknown, .. } = options;
        let suppliers = [
            (Supplier::Setup, &state.setup),
            (Supplier::Args, &rows.args),
            (Supplier::Fixture, &state.fixture),
        ];
        let suppliers = suppliers
            .into_iter()
            .filter_map(|(supplier, option)| option.as_ref().map(|KeyValue { key, .. }| (supplier, key)))
            .collect();
        InputOptions {
            suppliers,
            every: state.every(),
            setup_takes_argument: state.setup_takes_argument(),
            may_have_more: *has_unknown,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.suppliers.is_empty()
    }

    pub(crate) fn has(&self, supplier: Supplier) -> bool {
        self.suppliers.iter().any(|(other, _)| *other == supplier)
    }
}
