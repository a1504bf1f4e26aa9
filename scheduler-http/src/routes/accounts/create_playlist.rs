//! `POST /oauth/accounts/{id}/youtube/playlists`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::NewPlaylistInput;
use scheduler_core::ids::AccountId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::CREATE_PLAYLIST;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "oauth" / "accounts" / AccountId / "youtube" / "playlists")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|id, head, body, api| {
            answered(&CREATE_PLAYLIST, create_playlist(id, head, body, api))
        })
        .boxed()
}

async fn create_playlist(
    id: AccountId,
    head: Head,
    body: Body,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &CREATE_PLAYLIST).await?;
    let Json(input, _charge): Json<NewPlaylistInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let playlist = api
        .to_its_end(|scheduler| async move { scheduler.create_playlist(&caller, id, input).await })
        .await?;
    Ok(answer::json(StatusCode::CREATED, &playlist))
}
