//! A text model that writes and judges.

use async_trait::async_trait;

/// What a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What it is and how it has to answer.
    pub instructions: String,
    /// What it works on. Holds content of posts.
    pub input: String,
    /// The answer has to be one JSON object.
    pub json: bool,
}

/// Why a model gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssistantError {
    /// It would not do what was asked; in its own words, where it gave any.
    #[error("the assistant declined")]
    Declined(Option<String>),
    /// There is none, it cannot be reached, took too long, or gave what is no answer; a fragment
    /// for a person that holds neither key nor content.
    #[error("the assistant is unavailable: {0}")]
    Unavailable(String),
}

/// A text model. Content of posts goes to it and nowhere else.
///
/// ```
/// use async_trait::async_trait;
/// use scheduler_core::ports::{Assistant, AssistantError, Prompt};
///
/// /// Answers the same to everything.
/// struct Parrot;
///
/// #[async_trait]
/// impl Assistant for Parrot {
///     fn is_configured(&self) -> bool {
///         true
///     }
///
///     async fn answer(&self, prompt: &Prompt) -> Result<String, AssistantError> {
///         Ok(if prompt.json { "{}".to_owned() } else { "Hello".to_owned() })
///     }
/// }
/// ```
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Assistant: Send + Sync {
    /// False where the operator has set none: then nothing is ever sent.
    fn is_configured(&self) -> bool;

    /// Answers a prompt.
    ///
    /// # Errors
    /// [`AssistantError`] by variant.
    async fn answer(&self, prompt: &Prompt) -> Result<String, AssistantError>;
}

/// No assistant.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAssistant;

#[async_trait]
impl Assistant for NoAssistant {
    fn is_configured(&self) -> bool {
        false
    }

    async fn answer(&self, _: &Prompt) -> Result<String, AssistantError> {
        Err(AssistantError::Unavailable("none is configured".to_owned()))
    }
}
