//! Whether the text model answers, without sending it any content.

use scheduler_core::ports::AssistantError;
use scheduler_networks::assistant::{AssistantSettings, ChatAssistant, Reached};

use super::finding::{Finding, chain, listed};
use super::id::Id;
use super::subject::{PATIENCE, Subject};

/// Asks the model's endpoint for its list of models.
pub(super) async fn check(subject: &Subject) -> Finding {
    let Some(settings) = &subject.settings.assistant else {
        return Finding::skipped("the settings of the assistant cannot be read");
    };
    let Some(settings) = settings else {
        return Finding::ok("none is configured, and no content is sent to any");
    };
    let model = settings.model.clone();
    let advice = "see that SCHEDULER_AI_URL is right and that its server runs";
    let time_limit = settings.time_limit.min(PATIENCE);
    let settings = AssistantSettings { time_limit, ..settings.clone() };
    let assistant = match ChatAssistant::new(settings) {
        Ok(assistant) => assistant,
        Err(error) => return Finding::problem(Id::AssistantUnreachable, chain(&error), advice),
    };
    match assistant.reach().await {
        Ok(Reached::Listing) => {
            Finding::ok(format!("the model {model} is asked, and its server answers"))
        }
        Ok(Reached::OtherModels(models)) => Finding::warning(
            Id::AssistantModel,
            format!("its server lists no model {model}, but {}", listed(&models)),
            "set SCHEDULER_AI_MODEL to one of them",
        ),
        Ok(Reached::NoListing) => Finding::warning(
            Id::AssistantAddress,
            format!("the server of the model {model} has no list of models (404)"),
            "see that SCHEDULER_AI_URL ends where /chat/completions follows, usually in /v1",
        ),
        Ok(Reached::KeyRefused(status)) => Finding::problem(
            Id::AssistantKey,
            format!("captions and reviews do not work: its key was refused ({status})"),
            "correct SCHEDULER_AI_KEY, and see that its account may use the model",
        ),
        Err(AssistantError::Unavailable(reason)) => Finding::problem(
            Id::AssistantUnreachable,
            format!("captions and reviews do not work: {reason}"),
            advice,
        ),
        Err(AssistantError::Declined(_)) => Finding::problem(
            Id::AssistantUnreachable,
            "captions and reviews do not work: it declines",
            advice,
        ),
    }
}
