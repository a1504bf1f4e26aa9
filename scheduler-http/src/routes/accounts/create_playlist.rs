//! `POST /oauth/accounts/{id}/youtube/playlists`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::{NewPlaylistInput, Scheduler};
use scheduler_core::ids::AccountId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::CREATE_PLAYLIST;
use crate::error::ApiError;
use crate::extract::{Body, Head};
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
    let sent = body.repeatable::<NewPlaylistInput>(&head, &api.bodies, caller.workspace.id).await?;
    let playlist = match sent.input {
        Ok(input) => {
            let key = sent.key.clone();
            let create = |scheduler: Scheduler| async move {
                scheduler.create_playlist(&caller, id, input, key.as_ref()).await
            };
            api.to_its_end(create).await?
        }
        Err(error) => {
            let earlier = api.scheduler.earlier_playlist(&caller, id, sent.key.as_ref()).await?;
            earlier.ok_or(error)?
        }
    };
    Ok(answer::made(StatusCode::CREATED, playlist.replay, &playlist.value))
}
