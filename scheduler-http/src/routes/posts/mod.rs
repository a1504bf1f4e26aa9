//! Posts.

mod batch;
mod create;
mod delete;
mod list;
pub(super) mod page;
mod refresh_metrics;
mod retry;
mod retry_many;
mod revision;
mod show;
mod take_down;
mod update;

use http::StatusCode;
use scheduler_core::app::Scheduler;
use scheduler_core::post::Post;
use warp::reply::Response;

use crate::answer;
use crate::endpoint::Endpoint;
use crate::error::ApiError;

/// The answer that shows a post, with the tag of its revision.
pub(super) async fn shown(scheduler: &Scheduler, post: &Post) -> Result<Response, ApiError> {
    let response = answer::json(StatusCode::OK, &scheduler.post_view(post).await?);
    Ok(answer::at_revision(post.revision, response))
}

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &list::ENDPOINT,
    &create::ENDPOINT,
    &batch::ENDPOINT,
    &retry_many::ENDPOINT,
    &refresh_metrics::ENDPOINT,
    &show::ENDPOINT,
    &update::ENDPOINT,
    &delete::ENDPOINT,
    &retry::ENDPOINT,
    &take_down::ENDPOINT,
];
