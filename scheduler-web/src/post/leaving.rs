//! A post that leaves within seconds, and stopping it.

use chrono::{DateTime, Utc};
use scheduler_core::post::{ApprovalState, PostInput, PostStatus, PostView};
use scheduler_core::timing::STOP_WITHIN;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::page::{self, Said};
use crate::visitor::Visitor;

/// A post that leaves within seconds.
pub(super) struct Leaving {
    pub(super) seconds: i64,
    pub(super) revision: i64,
}

impl Leaving {
    pub(super) fn of(post: &PostView, now: DateTime<Utc>) -> Option<Self> {
        let is_withheld =
            matches!(post.approval_state, Some(ApprovalState::Pending | ApprovalState::Changes));
        let is_scheduled = post.status == PostStatus::Scheduled && !is_withheld;
        let at = post.scheduled_at.filter(|_| is_scheduled)?;
        let left = at - now;
        let is_soon = now < at && left <= STOP_WITHIN;
        is_soon.then(|| Self { seconds: left.num_seconds().max(1), revision: post.revision })
    }
}

/// Makes it a draft again, while nothing of it has begun to go out.
pub(super) async fn stop(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let post = visitor.post().await?;
    let revision = form.only("revision").and_then(|revision| revision.parse().ok());
    let expected = revision.map(|revision: i64| vec![revision]);
    let draft =
        PostInput { save_as_draft: true.into(), allow_issues: true.into(), ..PostInput::default() };
    visitor.scheduler().update_post(&visitor.caller, post.id, draft, expected.as_deref()).await?;
    Ok(page::sent_to(&visitor.at(&format!("compose/{}?{}", post.id, Said::Stopped.query()))))
}
