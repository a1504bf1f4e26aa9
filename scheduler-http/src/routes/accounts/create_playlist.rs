//! `POST /oauth/accounts/{id}/youtube/playlists`

use scheduler_core::app::NewPlaylistInput;
use scheduler_core::ports::NewPlaylist;

use super::network;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_playlist",
    method: Method::POST,
    pattern: "/v1/oauth/accounts/{id}/youtube/playlists",
    query: &[],
    handler: Handler::Repeatable(Access::Scope(Scope::PostsPublish), |call, caller| {
        Box::pin(create_playlist(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let created = json!({"id": "PLrAXtmErZgOe", "title": "Baking", "privacy": "unlisted", "duplicate": false});
    Description::new(
        "Create a playlist of a YouTube channel",
        "A playlist of the same title is answered in place of a second one, with `duplicate: true`.\n\nA repeat under the same `Idempotency-Key` waits while the first request is under way, and is answered 409 `in_flight` when that takes long, 409 `in_doubt` when the network's answer was lost: then look at the channel, and use another key if it is not there.",
    )
    .reads(read::<NewPlaylistInput>, json!({"title": "Baking", "privacy": "unlisted"}))
    .answers(201, "The playlist.", written::<NewPlaylist>, created.clone())
    .answers(
        200,
        "What was answered before to this `Idempotency-Key`.",
        written::<NewPlaylist>,
        created,
    )
    .refuses(network::REFUSES)
    .refuses(&[Code::InFlight])
}

async fn create_playlist(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let sent = call.repeatable::<NewPlaylistInput>(&caller).await?;
    let account = call.path("id")?;
    let playlist = match sent.input {
        Ok(input) => {
            let key = sent.key.clone();
            let create = async move |scheduler: Scheduler| {
                scheduler.create_playlist(&caller, account, input, key.as_ref()).await
            };
            call.api.to_its_end(create).await?
        }
        Err(error) => {
            let (scheduler, key) = (&call.api.scheduler, sent.key.as_ref());
            scheduler.earlier_playlist(&caller, account, key).await?.ok_or(error)?
        }
    };
    let location = format!("/v1/oauth/accounts/{account}/youtube/playlists");
    Ok(answer::made(&location, playlist.replay, &playlist.value))
}
