//! Counting what the text model is asked.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use scheduler_core::ports::{Assistant, AssistantError, Prompt};

use super::{Metrics, catalogue};

/// What can come of a prompt.
pub(super) const OUTCOMES: [&str; 3] = ["answered", "declined", "unavailable"];

impl Metrics {
    /// The same text model, whose answers are counted. One that is not configured stays as it is.
    #[must_use]
    pub fn assistant(&self, assistant: Arc<dyn Assistant>) -> Arc<dyn Assistant> {
        if !assistant.is_configured() {
            return assistant;
        }
        Arc::new(Counted { assistant, metrics: self.clone() })
    }
}

struct Counted {
    assistant: Arc<dyn Assistant>,
    metrics: Metrics,
}

#[async_trait]
impl Assistant for Counted {
    fn is_configured(&self) -> bool {
        self.assistant.is_configured()
    }

    async fn answer(&self, prompt: &Prompt) -> Result<String, AssistantError> {
        let begun = Instant::now();
        let answer = self.assistant.answer(prompt).await;
        let [answered, declined, unavailable] = OUTCOMES;
        let outcome = match &answer {
            Ok(_) => answered,
            Err(AssistantError::Declined(_)) => declined,
            Err(AssistantError::Unavailable(_)) => unavailable,
        };
        self.metrics.counter(&catalogue::ASSISTANT_CALLS, [outcome]).increment(1);
        self.metrics.time(&catalogue::ASSISTANT_DURATION, [""; 0], begun.elapsed());
        answer
    }
}
