//! Checks of properties of the machine that affect measurements.

use serde::Serialize;

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Check {
    /// The property: `governor`.
    pub(crate) name: &'static str,
    pub(crate) status: Status,
    /// The value of the property: `powersave`. Empty if it is unknown.
    pub(crate) value: String,
    /// The effect on measurements, and what to do about it.
    pub(crate) advice: Option<String>,
}

/// The effect of a property on measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Ok,
    /// The property is worth knowing, but not a problem.
    Note,
    /// Figures are less reliable because of it.
    Warning,
    /// The system doesn't report the property.
    Unknown,
}

impl Status {
    /// Returns the word for reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Warning => "warning",
            Status::Unknown => "unknown",
        }
    }
}

impl Check {
    pub(crate) fn ok(name: &'static str, value: impl Into<String>) -> Check {
        Check { name, status: Status::Ok, value: value.into(), advice: None }
    }

    pub(crate) fn note(name: &'static str, value: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, status: Status::Note, value: value.into(), advice: Some(advice.into()) }
    }

    pub(crate) fn warning(name: &'static str, value: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, status: Status::Warning, value: value.into(), advice: Some(advice.into()) }
    }

    pub(crate) fn unknown(name: &'static str) -> Check {
        Check { name, status: Status::Unknown, value: String::new(), advice: None }
    }
}
