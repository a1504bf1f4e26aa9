//! What is counted of the assistant.

use serde::{Deserialize, Serialize};

/// A call to the assistant, as a month's allowance counts them.
///
/// Source: interface description, Limits.
///
/// ```
/// use scheduler_core::assistant::AssistantCall;
/// assert_eq!(AssistantCall::ALL.map(AssistantCall::as_str), ["captions", "review"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AssistantCall {
    /// Captions of one text, for any number of networks.
    Captions,
    /// A review of one target.
    Review,
}

impl AssistantCall {
    /// Every kind. Tables in tests run over it.
    pub const ALL: [Self; 2] = [Self::Captions, Self::Review];

    /// The name in storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Captions => "captions",
            Self::Review => "review",
        }
    }
}
