//! What the assistant is asked for.

mod captions;
mod review;

pub use captions::{CaptionAllowance, Captions, CaptionsInput};
pub use review::ReviewInput;

use crate::assistant::AssistantCall;
use crate::error::{AppError, AssistantRefusal};
use crate::plan::Allowances;
use crate::ports::{AssistantError, Prompt};
use crate::post::Month;

use super::{Caller, Scheduler};

/// A call that is counted, and given back unless it is kept.
struct TakenCall {
    call: AssistantCall,
    month: Month,
}

impl Scheduler {
    /// Counts a call against the plan's allowance of this month.
    ///
    /// # Errors
    /// `ai_not_in_plan`; `ai_unavailable` where no assistant is configured; `ai_limit`.
    async fn take_call(&self, caller: &Caller, call: AssistantCall) -> Result<TakenCall, AppError> {
        let (plans, plan) = (&self.settings.plans, caller.plan());
        let allowance = |allowances: &Allowances| match call {
            AssistantCall::Captions => allowances.captions_a_month,
            AssistantCall::Review => allowances.reviews_a_month,
        };
        let limit = allowance(plans.of(plan));
        if limit == 0 {
            return Err(plans.ai_not_in_plan(plan, allowance).into());
        }
        if !self.ports.assistant.is_configured() {
            return Err(AssistantRefusal::NotConfigured.into());
        }
        let month = Month::of(self.ports.clock.now());
        if self.store().take_call(caller.workspace.id, month, call, limit).await? {
            Ok(TakenCall { call, month })
        } else {
            Err(plans.ai_limit(plan, allowance).into())
        }
    }

    /// Gives a call back when what it was taken for has failed: that costs nothing.
    async fn give_back_unless_ok<T>(
        &self,
        caller: &Caller,
        taken: TakenCall,
        result: Result<T, AppError>,
    ) -> Result<T, AppError> {
        if result.is_err() {
            let TakenCall { call, month } = taken;
            self.store().give_back_call(caller.workspace.id, month, call).await?;
        }
        result
    }

    async fn answer(&self, prompt: &Prompt) -> Result<String, AssistantError> {
        self.ports.assistant.answer(prompt).await
    }
}

/// The refusal after answers that are none.
fn nonsense() -> AppError {
    AssistantRefusal::Unusable.into()
}
