//! Whether the text model answers, without sending it any content.

use scheduler_core::ports::AssistantError;
use scheduler_networks::assistant::{ChatAssistant, Reached};

use super::finding::{Finding, chain};
use super::subject::Subject;

/// Asks the model's endpoint for its list of models.
pub(super) async fn check(subject: &Subject) -> Finding {
    let Some(settings) = &subject.settings.assistant else {
        return Finding::skipped("the settings of the assistant cannot be read");
    };
    let Some(settings) = settings else {
        return Finding::ok("none is configured, and no content is sent to any");
    };
    let model = settings.model.clone();
    let advice = "see SCHEDULER_AI_URL, SCHEDULER_AI_KEY and SCHEDULER_AI_MODEL";
    let assistant = match ChatAssistant::new(settings.clone()) {
        Ok(assistant) => assistant,
        Err(error) => return Finding::problem(chain(&error), advice),
    };
    match assistant.reach().await {
        Ok(Reached::Listing) => {
            Finding::ok(format!("the model {model} is asked, and its server answers"))
        }
        Ok(Reached::NoListing) => Finding::warning(
            format!("the server of the model {model} has no list of models (404)"),
            "see that SCHEDULER_AI_URL ends where /chat/completions follows, usually in /v1",
        ),
        Err(AssistantError::Unavailable(reason)) => {
            Finding::problem(format!("captions and reviews do not work: {reason}"), advice)
        }
        Err(AssistantError::Declined(_)) => {
            Finding::problem("captions and reviews do not work: it declines", advice)
        }
    }
}
