//! Kinds of targets.

use cargo_metadata::{Target, TargetKind};
use serde::{Deserialize, Serialize};

/// The kind of a target, in the order in which the kinds run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Lib,
    Bin,
    Bench,
    Test,
    Example,
}

impl Kind {
    /// Returns the kind of a target, or `None` for build scripts and unknown kinds.
    pub(super) fn from_target(target: &Target) -> Option<Self> {
        target.kind.iter().find_map(|kind| match kind {
            TargetKind::Bin => Some(Self::Bin),
            TargetKind::Bench => Some(Self::Bench),
            TargetKind::Test => Some(Self::Test),
            TargetKind::Example => Some(Self::Example),
            TargetKind::Lib
            | TargetKind::RLib
            | TargetKind::DyLib
            | TargetKind::CDyLib
            | TargetKind::StaticLib
            | TargetKind::ProcMacro => Some(Self::Lib),
            _ => None,
        })
    }

    /// Returns the name in cargo's flags: `bin` in `--bin NAME`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lib => "lib",
            Self::Bin => "bin",
            Self::Bench => "bench",
            Self::Test => "test",
            Self::Example => "example",
        }
    }
}
