//! The facts about the data of an executable that only its link knows.

use super::constants::Constants;
use super::linker_map::{self, PlacedSection};
use super::outside_references::OutsideReferences;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The facts about the data of an executable. Empty if its link told nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedData {
    pub constants: Constants,
    pub outside: OutsideReferences,
}

impl LinkedData {
    /// Returns whether the link told anything.
    pub fn is_known(&self) -> bool {
        self.constants != Constants::default()
    }

    /// Reads them from the map of the link, and from its inputs. `None` if an input can't be read:
    /// then references to constants may mean others.
    pub(super) fn read(map: &str, executable: &Path) -> Option<LinkedData> {
        let sections: Vec<PlacedSection<'_>> = linker_map::sections(map).collect();
        let outside = OutsideReferences::find(&sections, executable)?;
        Some(LinkedData { constants: Constants::of(&sections), outside })
    }
}
