//! The version of a network's interface that is spoken.

use chrono::NaiveDate;

/// A version of a network's interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiVersion {
    /// What the network calls it, such as `v26.0`.
    pub name: String,
    /// The first day on which the network may refuse it, where that day is known.
    pub retires_on: Option<NaiveDate>,
}
