//! `PATCH /posts/{id}/targets/{targetId}/account`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::error::Refusal;
use scheduler_core::ids::{AccountId, PostId, TargetId};
use serde::Deserialize;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::MOVE_TARGET;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
use crate::routes::{answered, body, head, with};

/// Source: interface description, PATCH /posts/{id}/targets/{targetId}/account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ChangeAccount {
    account_id: Option<AccountId>,
}

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "targets" / TargetId / "account")
        .and(warp::patch())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|post, target, head, body, api| {
            answered(&MOVE_TARGET, change_account(post, target, head, body, api))
        })
        .boxed()
}

async fn change_account(
    post_id: PostId,
    target_id: TargetId,
    head: Head,
    body: Body,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &MOVE_TARGET).await?;
    let Json(input, _charge): Json<ChangeAccount> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let account_id =
        input.account_id.ok_or_else(|| Refusal::invalid("accountId", "accountId is required."))?;
    let post = api.scheduler.move_target(&caller, post_id, target_id, account_id).await?;
    Ok(json(StatusCode::OK, &api.scheduler.target_view(&post, target_id).await?))
}
