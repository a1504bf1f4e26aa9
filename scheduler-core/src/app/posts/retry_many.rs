//! Trying the failed targets of many posts again.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::{Caller, Scheduler};
use crate::error::{AppError, Refusal};
use crate::ids::{AccountId, PostId};
use crate::key::Scope;
use crate::platform::Platform;
use crate::post::{
    Facet, ListFilter, ListOrder, ListQuery, ListedState, PageQuery, Post, Window, check_label,
    decide, folded_label,
};
use crate::target::{Failure, Target};

/// Posts that are retried by one request at most.
///
/// Source: our decision.
pub const RETRY_MAX_POSTS: usize = 500;

/// Posts that are read at once.
const PAGE: u32 = 50;

/// Which posts are to be retried: what is given has to hold for all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetryInput {
    /// These posts; without, all that have failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = RETRY_MAX_POSTS), extend("uniqueItems" = true)))]
    pub ids: Option<Vec<PostId>>,
    /// Posts with this label, whatever its case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = crate::post::LABEL_MAX_CHARACTERS)))]
    pub label: Option<String>,
    /// Targets on this network alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<Platform>,
    /// Targets of this account alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// Posts that were due from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
}

/// What came of a request to retry many posts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RetryReport {
    /// Targets that are due again.
    pub retried: u64,
    /// Failed targets that were meant and left as they are.
    pub skipped: u64,
}

impl RetryInput {
    fn names_something(&self) -> bool {
        *self != Self::default()
    }

    /// Whether a target is meant.
    fn means(&self, target: &Target) -> bool {
        self.platform.is_none_or(|platform| platform == target.platform)
            && self.account_id.is_none_or(|account| account == target.account_id)
    }

    /// Whether a target is meant and may be retried. One that is in doubt may only when its post is
    /// named: somebody has to look first.
    fn takes(&self, target: &Target) -> bool {
        let is_certain = !target.failure().is_some_and(Failure::is_in_doubt);
        self.means(target) && (is_certain || self.ids.is_some())
    }
}

impl Scheduler {
    /// Makes failed targets of many posts due now, with a fresh retry budget: of the posts that are
    /// named, else of the latest [`RETRY_MAX_POSTS`] that have failed. Targets in doubt are left
    /// alone unless their posts are named. A post that cannot be retried, such as one of which
    /// something goes out at this moment, is passed over, and its failed targets are counted.
    ///
    /// # Errors
    /// `forbidden` without `posts:write` and `posts:publish`; `invalid_request` when nothing is
    /// said of which posts; `not_found` for an id of no post, before anything is retried.
    pub async fn retry_posts(
        &self,
        caller: &Caller,
        input: &RetryInput,
    ) -> Result<RetryReport, AppError> {
        caller.require(Scope::PostsWrite)?;
        caller.require(Scope::PostsPublish)?;
        if !input.names_something() {
            let message = "Say which posts: send ids, label, platform, accountId or since.";
            return Err(Refusal::invalid("ids", message).into());
        }
        if let Some(label) = &input.label {
            check_label("label", label)?;
        }
        match &input.ids {
            Some(ids) => self.retry_named(caller, input, ids).await,
            None => self.retry_failed(caller, input).await,
        }
    }

    async fn retry_named(
        &self,
        caller: &Caller,
        input: &RetryInput,
        ids: &[PostId],
    ) -> Result<RetryReport, AppError> {
        if !(1..=RETRY_MAX_POSTS).contains(&ids.len()) {
            let message =
                format!("There are {} ids, 1 to {RETRY_MAX_POSTS} are taken at once.", ids.len());
            return Err(Refusal::invalid("ids", message).into());
        }
        for (index, id) in ids.iter().enumerate() {
            if let Err(AppError::Refused(refusal)) = self.post_of(caller, *id).await {
                return Err(refusal.at(format!("ids[{index}]")).into());
            }
        }
        let label = input.label.as_deref().map(|label| Facet::Label(folded_label(label)));
        let mut report = RetryReport::default();
        for id in BTreeSet::from_iter(ids) {
            let post = self.post_of(caller, *id).await?;
            let has_label = label.as_ref().is_none_or(|label| post.facets().contains(label));
            if has_label && input.since.is_none_or(|since| post.sort_at() >= since) {
                self.retry_meant(caller, input, &post, &mut report).await?;
            }
        }
        Ok(report)
    }

    async fn retry_failed(
        &self,
        caller: &Caller,
        input: &RetryInput,
    ) -> Result<RetryReport, AppError> {
        let mut query = ListQuery {
            workspace_id: caller.workspace.id,
            status: None,
            filter: ListFilter {
                platforms: input.platform.into_iter().collect(),
                accounts: input.account_id.into_iter().collect(),
                labels: input.label.as_deref().map(folded_label).into_iter().collect(),
                state: Some(ListedState::Failed),
                words: Vec::new(),
            },
            window: Window::Since(input.since.unwrap_or(DateTime::UNIX_EPOCH)),
            order: ListOrder::Recent,
            page: PageQuery { limit: PAGE, before: None },
        };
        let (mut report, mut posts) = (RetryReport::default(), 0);
        while posts < RETRY_MAX_POSTS {
            let page = self.store().list_posts(&query).await?;
            let Some(last) = page.last() else { break };
            query.page.before = query.order.place(last);
            posts += page.len();
            for post in &page {
                self.retry_meant(caller, input, post, &mut report).await?;
            }
        }
        Ok(report)
    }

    /// Retries what is meant of a post, and counts it.
    async fn retry_meant(
        &self,
        caller: &Caller,
        input: &RetryInput,
        post: &Post,
        report: &mut RetryReport,
    ) -> Result<(), AppError> {
        let mut failed = decide::failed_targets(post);
        failed.retain(|target| input.means(target));
        let taken = failed.iter().filter(|target| input.takes(target)).count();
        let retried = if taken == 0 {
            0
        } else {
            let retry = self.retry_targets(caller, post.id, |target| input.takes(target));
            match retry.await {
                Ok(_) => taken,
                Err(AppError::Refused(_)) => 0,
                Err(error) => return Err(error),
            }
        };
        report.retried += u64::try_from(retried).unwrap_or(u64::MAX);
        report.skipped += u64::try_from(failed.len() - retried).unwrap_or(u64::MAX);
        Ok(())
    }
}
