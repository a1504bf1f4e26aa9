//! What is wrong with a line of a file.

use scheduler_core::rules::Severity;
use serde::Serialize;

/// One finding about a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Fault {
    /// The line, counted from 1; of a record of several lines, its first.
    pub(crate) line: u64,
    /// The column or the field, in the words of the file; `line` for the line as a whole.
    pub(crate) field: String,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    /// What to do about it, where that is not said already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) advice: Option<String>,
    /// The rule of a network that says so, such as `bluesky.text.too_long`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule: Option<String>,
}

impl Fault {
    /// What stops a line.
    pub(crate) fn error(line: u64, field: &str, message: impl Into<String>) -> Self {
        Self {
            line,
            field: field.to_owned(),
            severity: Severity::Error,
            message: message.into(),
            advice: None,
            rule: None,
        }
    }

    /// What somebody should look at.
    pub(crate) fn warning(line: u64, field: &str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(line, field, message) }
    }

    /// The same, with what to do.
    pub(crate) fn advised(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
