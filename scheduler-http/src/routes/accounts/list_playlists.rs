//! `GET /oauth/accounts/{id}/youtube/playlists`

use scheduler_core::ports::Playlist;

use super::network;
use crate::routes::prelude::*;

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
    .answers(
        200,
        "The playlists.",
        list_of::<Playlist>("PlaylistList"),
        json!({"data": [playlist]}),
    )
    .refuses(network::REFUSES)
}

async fn list_playlists(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let account = call.path("id")?;
    let ask = async move |scheduler: Scheduler| scheduler.playlists(&caller, account).await;
    let playlists = call.api.to_its_end(ask).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": playlists })))
}
