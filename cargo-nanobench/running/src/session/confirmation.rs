//! The check of a listing that an earlier command kept, by the process that measured.

use super::Session;
use crate::warnings::warn;
use nanobench::report::escape;

impl Session {
    /// Waits until the process has ended. Returns whether it confirmed the listing, if an earlier command
    /// kept that: the program came to its end, and had passed these benchmarks. Warns otherwise.
    pub(crate) fn confirms_listing(&mut self) -> bool {
        self.close();
        if !self.is_kept {
            return true;
        }
        let target = self.connection.target.clone();
        let passed = self.connection.listed_again.take().unwrap_or_default();
        for benchmark in passed.iter().filter(|benchmark| self.index_of(&benchmark.id).is_none()) {
            let id = escape(&format!("{target}::{}", benchmark.id));
            warn(format_args!("{id} is not in the kept list of its suite: run again to measure it"));
        }
        let is_confirmed =
            passed == self.listing.benchmarks && self.connection.process.check_success().is_ok();
        if !is_confirmed && !self.connection.process.is_interrupted() {
            warn(format_args!(
                "the kept list of {target} may be outdated: the next run lists its benchmarks anew"
            ));
        }
        is_confirmed
    }
}
