//! One thing about the machine that measurements depend on.

use serde::Serialize;

/// What is known of it, and what can be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// What was looked at: `governor`.
    pub(crate) name: &'static str,
    pub(crate) state: State,
    /// How it is: `powersave`. Empty where it is not known.
    pub(crate) value: String,
    /// What to do, or what to know, about it.
    pub(crate) advice: Option<String>,
}

/// What it means for measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// As it should be.
    Fine,
    /// To be known; nothing is wrong with it.
    Note,
    /// Figures wander by it.
    Disturbs,
    /// This system doesn't tell.
    #[serde(rename = "not known")]
    NotKnown,
}

impl State {
    /// As in reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            State::Fine => "fine",
            State::Note => "note",
            State::Disturbs => "disturbs",
            State::NotKnown => "not known",
        }
    }
}

impl Finding {
    pub(crate) fn fine(name: &'static str, value: impl Into<String>) -> Finding {
        Finding { name, state: State::Fine, value: value.into(), advice: None }
    }

    pub(crate) fn note(name: &'static str, value: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { name, state: State::Note, value: value.into(), advice: Some(advice.into()) }
    }

    pub(crate) fn disturbs(
        name: &'static str,
        value: impl Into<String>,
        advice: impl Into<String>,
    ) -> Finding {
        Finding { name, state: State::Disturbs, value: value.into(), advice: Some(advice.into()) }
    }

    pub(crate) fn not_known(name: &'static str) -> Finding {
        Finding { name, state: State::NotKnown, value: String::new(), advice: None }
    }
}
