//! The verdict of a comparison.

/// The verdict on one benchmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A call takes less time than in the baseline.
    Faster,
    /// A call takes more time than in the baseline.
    Slower,
    /// Its time is known to be about the same.
    Same,
    /// The time changed although the code did not: the linker placed it elsewhere.
    Placement,
    #[default]
    /// None of these is known.
    Unsure,
    /// The baseline has no such benchmark.
    New,
    /// The baseline has it, but this run has no figure for it.
    Failed,
}

impl Verdict {
    /// The word in documents, gates and filters.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Placement => "placement",
            Verdict::Unsure => "unsure",
            Verdict::New => "new",
            Verdict::Failed => "failed",
        }
    }

    /// The word that tables and sentences have.
    pub fn told(self) -> &'static str {
        match self {
            Verdict::Placement => "placed elsewhere",
            _ => self.word(),
        }
    }

    /// Returns whether it reports a change of the code's speed.
    pub fn is_change(self) -> bool {
        matches!(self, Verdict::Faster | Verdict::Slower)
    }
}
