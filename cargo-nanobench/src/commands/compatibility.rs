//! Refuses comparisons of figures from different machines.

use crate::baseline::BaselineRef;
use crate::environment::Difference;
use nanobench::report::escape;

/// The error for a saved run whose stored figures are from another machine.
#[derive(Debug, thiserror::Error)]
#[error(
    "can't compare with {reference}: it was built or measured differently\n\
     {}\n\
     there are only stored figures to compare, and they are from another machine\n\
     save a baseline on this machine, or compare anyway with --ignore-environment",
    self.differences()
)]
pub(crate) struct Incomparable {
    reference: BaselineRef,
    differences: Vec<String>,
}

impl Incomparable {
    /// Returns the differences in one line: `processor A, before B; target C, before D`.
    pub(crate) fn differences(&self) -> String {
        escape(&self.differences.join("; "))
    }
}

/// Returns an error if the stored figures of a saved run can't be compared across `differences`.
pub(crate) fn check_stored_figures(
    reference: &BaselineRef,
    differences: &[Difference],
) -> Result<(), Incomparable> {
    if !differences.iter().any(Difference::rules_out_stored_figures) {
        return Ok(());
    }
    let differences = differences.iter().map(ToString::to_string).collect();
    Err(Incomparable { reference: reference.clone(), differences })
}
