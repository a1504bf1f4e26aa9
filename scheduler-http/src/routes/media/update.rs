//! `PATCH /media/{id}`

use scheduler_core::media::{MediaChange, MediaView};

use crate::openapi::examples::ready_media;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "update_media",
    method: Method::PATCH,
    pattern: "/v1/media/{id}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::MediaWrite), |call, caller| {
        Box::pin(update(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let said = json!({"name": "Our first cake", "labels": ["spring"], "altText": "A cake with three tiers."});
    Description::new(
        "Describe a file",
        "Changes the name, the labels and the alternative text of a file; only the fields that are sent change, and `null` clears one. A post that names the file and has no `altTexts` takes its text, and so does a target or a part of a thread; posts that have it already keep what they have.",
    )
    .reads(read::<MediaChange>, said.clone())
    .answers(200, "The file as it is now.", written::<MediaView>, with(ready_media(), said))
    .refuses(&[Code::NotFound])
}

async fn update(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(change, _charge) = call.json::<MediaChange>(&caller).await?;
    let media = call.api.scheduler.update_media(&caller, call.path("id")?, &change).await?;
    Ok(answer::json(StatusCode::OK, &media))
}
