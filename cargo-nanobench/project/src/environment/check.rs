//! Checks of properties of the machine that affect measurements.

use serde::Serialize;

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The property: `governor`.
    pub name: &'static str,
    pub status: Status,
    /// The value of the property: `powersave`. Empty if it is unknown.
    pub value: String,
    /// The effect on measurements, and the remedy.
    pub advice: Option<String>,
}

/// The effect of a property on measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
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
    pub fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Warning => "warning",
            Status::Unknown => "unknown",
        }
    }
}

/// A known status and value of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    status: Status,
    value: String,
    advice: Option<String>,
}

impl Check {
    /// Creates the check of a property. `None`: the system doesn't report the property.
    pub fn new(name: &'static str, finding: Option<Finding>) -> Check {
        let unknown = Finding { status: Status::Unknown, value: String::new(), advice: None };
        let Finding { status, value, advice } = finding.unwrap_or(unknown);
        Check { name, status, value, advice }
    }
}

impl Finding {
    pub fn ok(value: impl Into<String>) -> Finding {
        Finding { status: Status::Ok, value: value.into(), advice: None }
    }

    pub fn note(value: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { status: Status::Note, value: value.into(), advice: Some(advice.into()) }
    }

    pub fn warning(value: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { status: Status::Warning, value: value.into(), advice: Some(advice.into()) }
    }
}
