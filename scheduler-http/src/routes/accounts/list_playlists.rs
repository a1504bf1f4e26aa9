//! `GET /oauth/accounts/{id}/youtube/playlists`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::{Caller, Scheduler};
use scheduler_core::key::Scope;
use serde_json::json;
use warp::reply::Response;

use super::network;
use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::openapi::schema::named;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_playlists",
    method: Method::GET,
    pattern: "/v1/oauth/accounts/{id}/youtube/playlists",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(list_playlists(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let playlist = json!({"id": "PLrAXtmErZgOe", "title": "Baking", "privacy": "public"});
    Description::new(
        "List the playlists of a YouTube channel",
        "Pass an `id` as the option `playlistId` of a target.",
    )
    .answers(200, "The playlists.", named("PlaylistList"), json!({"data": [playlist]}))
    .refuses(network::REFUSES)
}

async fn list_playlists(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let account = call.path("id")?;
    let ask = async move |scheduler: Scheduler| scheduler.playlists(&caller, account).await;
    let playlists = call.api.to_its_end(ask).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": playlists })))
}
