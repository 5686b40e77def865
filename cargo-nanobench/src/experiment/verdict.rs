//! The verdict of a comparison.

/// The verdict on one benchmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Faster,
    Slower,
    Same,
    /// The time changed although the code did not: the linker placed it elsewhere.
    Moved,
    #[default]
    Unsure,
    /// The baseline has no such benchmark.
    New,
    /// The baseline has it, but this run has no figure for it.
    Failed,
}

impl Verdict {
    /// The word that reports print.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Moved => "moved",
            Verdict::Unsure => "unsure",
            Verdict::New => "new",
            Verdict::Failed => "failed",
        }
    }

    /// Returns whether it reports a change of the code's speed.
    pub(crate) fn is_change(self) -> bool {
        matches!(self, Verdict::Faster | Verdict::Slower)
    }
}
