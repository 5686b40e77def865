//! A valid benchmark. Other modules expand its parts.

use crate::attributes::Attributes;
use crate::count::Count;
use crate::instances::Instances;
use crate::number::Number;
use crate::options::Options;
use crate::runtime::Driver;
use crate::signature::Parameters;
use proc_macro2::TokenStream;
use syn::Signature;

/// A function whose options and signature are valid.
pub(crate) struct Benchmark<'a> {
    pub(crate) signature: &'a Signature,
    pub(crate) attributes: &'a Attributes,
    pub(crate) options: &'a Options,
    pub(crate) parameters: Parameters,
    pub(crate) instances: Option<Instances>,
    /// The option `batch` of a generic function, whose rows may differ in it.
    pub(crate) batch: Option<Number>,
    pub(crate) count: Count,
    /// The path of the items that the expansion uses.
    pub(crate) private: &'a TokenStream,
}

impl Benchmark<'_> {
    pub(crate) fn has_args(&self) -> bool {
        self.options.rows.args.is_some()
    }

    /// Returns the number of calls in an iteration.
    pub(crate) fn unroll(&self) -> usize {
        self.options.unroll.as_ref().map_or(1, |unroll| unroll.value)
    }

    pub(crate) fn driver(&self) -> Driver<'_> {
        Driver::new(self.signature, self.options.runtime.as_ref())
    }
}
