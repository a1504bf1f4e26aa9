//! Posts: create, list, show, change, delete, retry.

mod create;
mod delete;
mod list;
mod placing;
mod refresh;
mod retry;
mod update;
mod view;

pub(crate) use placing::{Missing, refuse_repeated};

use crate::error::{AppError, ErrorCode, Refusal};
use crate::ids::PostId;
use crate::key::Scope;
use crate::plan::Allowances;
use crate::platform::AccountLimits;
use crate::post::Post;
use crate::rules::{
    Context, CustomRules, Draft, DraftTarget, MediaFacts, Severity, ValidationIssue,
};
use crate::target::Target;

use super::{Caller, Scheduler};

impl Scheduler {
    /// The post with this id.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`.
    pub async fn post(&self, caller: &Caller, id: PostId) -> Result<Post, AppError> {
        caller.require(Scope::PostsRead)?;
        self.post_of(caller, id).await
    }

    pub(in crate::app) async fn post_of(
        &self,
        caller: &Caller,
        id: PostId,
    ) -> Result<Post, AppError> {
        let post = self.store().post(caller.workspace.id, id).await?;
        Ok(post.ok_or_else(|| Refusal::not_found("post"))?)
    }

    pub(in crate::app) fn allowances(&self, caller: &Caller) -> &Allowances {
        self.settings.plans.of(caller.plan())
    }
}

/// A post as it is stored after it was saved.
pub(crate) fn saved(post: Post) -> Post {
    Post { version: post.version + 1, ..post }
}

/// The refusal of a change that others kept overtaking.
pub(crate) fn too_busy() -> Refusal {
    Refusal::new(
        ErrorCode::RateLimited,
        "Too many changes at the same moment; try again in a second.",
    )
}

/// Runs the rules over a post as it would go out, with the thumbnail of each target.
pub(crate) fn issues_of(
    rules: &CustomRules,
    post: &Post,
    targets: &[(&Target, &AccountLimits)],
    media: &[MediaFacts],
    thumbnails: &[Option<MediaFacts>],
) -> Vec<ValidationIssue> {
    let targets: Vec<DraftTarget<'_>> = targets
        .iter()
        .enumerate()
        .map(|(index, (target, limits))| DraftTarget {
            platform: target.platform,
            options: &target.options,
            limits,
            thumbnail: thumbnails.get(index).and_then(Option::as_ref),
        })
        .collect();
    let draft = Draft {
        content: &post.content,
        link_url: post.link_url.as_deref(),
        media,
        alt_texts: &post.alt_texts,
        targets: &targets,
    };
    rules.check(&draft, &Context::default())
}

/// Refuses a post that the rules find an error in.
///
/// # Errors
/// `validation_failed` with every issue, warnings included.
pub(in crate::app) fn refuse_errors(issues: Vec<ValidationIssue>) -> Result<(), Refusal> {
    if issues.iter().any(|issue| issue.severity == Severity::Error) {
        return Err(Refusal::validation(issues));
    }
    Ok(())
}
