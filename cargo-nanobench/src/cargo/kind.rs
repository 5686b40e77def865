//! Kinds of targets.

use cargo_metadata::{Target, TargetKind};

/// Kind of a target, in the order in which they are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Lib,
    Bin,
    Bench,
    Test,
    Example,
}

impl Kind {
    /// The kind of a target; `None` for a build script and what is unknown.
    pub(super) fn of(target: &Target) -> Option<Self> {
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

    /// As in cargo's flags: `--bin NAME`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Lib => "lib",
            Self::Bin => "bin",
            Self::Bench => "bench",
            Self::Test => "test",
            Self::Example => "example",
        }
    }
}
