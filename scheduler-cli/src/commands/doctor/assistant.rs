//! Whether the text model answers, without sending it any content.

use scheduler_core::ports::AssistantError;
use scheduler_networks::assistant::{AssistantSettings, ChatAssistant, Reached};

use super::finding::{Finding, Id, chain, listed, needed};
use super::reach::TIMEOUT;
use super::subject::Subject;

/// Asks the model's endpoint for its list of models.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let why_not = "the settings of the assistant cannot be read";
    let Some(settings) = needed(&subject.settings.assistant, why_not)? else {
        return Ok(Finding::ok("none is configured, and no content is sent to any"));
    };
    let model = settings.model.clone();
    let advice = "see that SCHEDULER_AI_URL is right and that its server runs";
    let time_limit = settings.time_limit.min(TIMEOUT);
    let settings = AssistantSettings { time_limit, ..settings.clone() };
    let unreachable = |found: String| Finding::problem(Id::AssistantUnreachable, found, advice);
    let assistant = ChatAssistant::new(settings).map_err(|error| unreachable(chain(&error)))?;
    Ok(match assistant.reach().await {
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
        Err(AssistantError::Unavailable(reason)) => {
            unreachable(format!("captions and reviews do not work: {reason}"))
        }
        Err(AssistantError::Declined(_)) => {
            unreachable("captions and reviews do not work: it declines".to_owned())
        }
    })
}
