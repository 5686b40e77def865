//! Which comparisons are refused, because they would say more of something else than of the code.

use crate::baseline::BaselineRef;
use crate::environment::Difference;
use crate::exit::Exit;
use nanobench::report::escape;

/// A saved run that was built or measured otherwise.
#[derive(Debug, thiserror::Error)]
#[error(
    "a comparison with {place} would say little of the code: {}\n\
     {advice}\n\
     to compare all the same: --ignore-environment",
    self.reason()
)]
pub(crate) struct Incomparable {
    place: BaselineRef,
    differences: Vec<String>,
    advice: &'static str,
}

const BUILD: &str = "build as that was built, or save a baseline of this build";
const MACHINE: &str =
    "its executables can't be run here, and its figures are another machine's: save a baseline on this one";

impl Incomparable {
    /// What is another.
    pub(crate) fn reason(&self) -> String {
        escape(&self.differences.join("; "))
    }

    /// How the call ends by it.
    pub(crate) fn exit(&self) -> Exit {
        Exit::Surroundings
    }
}

/// Refuses a comparison that one of the `differences` spoils. `stored`: figures of then are in it.
pub(crate) fn refuse(
    place: &BaselineRef,
    differences: &[Difference],
    stored: bool,
) -> Result<(), Incomparable> {
    let spoiling: Vec<&Difference> =
        differences.iter().filter(|difference| difference.spoils(stored)).collect();
    if spoiling.is_empty() {
        return Ok(());
    }
    let is_of_build = spoiling.iter().any(|difference| difference.spoils(false));
    let advice = if is_of_build { BUILD } else { MACHINE };
    let differences = spoiling.iter().map(ToString::to_string).collect();
    Err(Incomparable { place: place.clone(), differences, advice })
}
