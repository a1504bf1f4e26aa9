//! What a network tells of a live video beyond its figures.

use serde::{Deserialize, Serialize};

use crate::app::answers::Question;
use crate::app::{Caller, Scheduler};
use crate::error::AppError;
use crate::ids::{PostId, TargetId};
use crate::key::Scope;
use crate::ports::Insights;

/// What a network tells of a video beyond its figures; only YouTube does.
///
/// Source: interface description, GET /posts/{id}/targets/{targetId}/insights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Insights", extend("additionalProperties" = true)))]
pub struct InsightsView {
    /// Whether it tells anything.
    pub supported: bool,
    /// What it tells.
    #[serde(flatten)]
    pub insights: Option<Insights>,
}

impl Scheduler {
    /// Reads what the network of a live target tells beyond its figures.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`; `not_published`; `rate_limited` when the
    /// network may not be asked now; what the network answers.
    pub async fn insights(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
    ) -> Result<InsightsView, AppError> {
        caller.require(Scope::PostsRead)?;
        let found = self.live_target(caller, post_id, target_id).await?;
        if !found.platform.sheet().reports_insights() {
            return Ok(InsightsView { supported: false, insights: None });
        }
        let account = self.account_of(caller, found.account_id).await?;
        let live = &found.live;
        let insights = async {
            let asked = self
                .ask(&account, |after, access| async move { after.insights(&access, live).await });
            let insights = asked.await?;
            Ok(InsightsView { supported: insights.is_some(), insights })
        };
        self.answered(&account, Question::Insights(target_id), insights).await
    }
}
