//! The state that the code of a benchmark shares with that of other targets, which runs before it.

use super::access::Access;
use super::benchmark_code::Located;
use super::executable::Executable;
use super::graph::{Graph, Part, Scope};
use super::standard_library::is_standard;
use std::collections::HashSet;

/// The things through which code may affect other code of the process.
#[derive(Debug)]
struct State {
    /// The addresses of statics that it may write to.
    statics: HashSet<u64>,
    uses_thread_locals: bool,
    access: Access,
}

impl State {
    /// Returns the state of all that these functions lead to, apart from the code `elsewhere`.
    fn of(
        executable: &Executable,
        parts: &mut Graph,
        roots: impl Iterator<Item = u64>,
        elsewhere: &HashSet<u64>,
    ) -> State {
        let scope = Scope { others: [elsewhere; 2], own: 0 };
        parts.compare([executable; 2], roots.map(|root| (root, root)), Some(scope));
        let address = |part| match part {
            Part::Data(address, ..) | Part::Nameless(address, _) => Some(address),
            Part::Function(..) | Part::Offsets(..) | Part::ThreadLocals => None,
        };
        let is_own = |address: &u64| !executable.symbol(*address).is_some_and(|it| is_standard(&it.name));
        let written = parts.parts_of_last().filter_map(address).filter(|&it| executable.is_writable(it));
        State {
            statics: written.filter(is_own).collect(),
            uses_thread_locals: parts.parts_of_last().any(|part| matches!(part, Part::ThreadLocals)),
            access: parts.access_of_last(),
        }
    }

    /// Returns whether nothing that `other` leaves is found.
    fn is_apart_from(&self, other: &State) -> bool {
        self.statics.is_disjoint(&other.statics)
            && !(self.uses_thread_locals && other.uses_thread_locals)
            && (self.access == Access::default() || other.access == Access::default())
            && !other.access.changes_surroundings
    }
}

/// Returns whether nothing that other targets do can reach a benchmark: they share no static that either may
/// write to, and not both get at something outside of the executable, such as variables.
pub(super) fn is_apart_from_targets(executable: &Executable, parts: &mut Graph, code: &Located) -> bool {
    let own = State::of(executable, parts, code.roots.iter().copied(), &code.elsewhere());
    let targets = State::of(executable, parts, code.targets.iter().copied(), &code.others);
    own.is_apart_from(&targets)
}
