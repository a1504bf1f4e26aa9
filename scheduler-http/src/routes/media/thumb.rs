//! `GET /media/{id}/thumb`

use http::header::{CACHE_CONTROL, CONTENT_TYPE};

use crate::routes::prelude::*;

/// A preview never changes under its id; a deleted file's may be seen for an hour by who saw it.
const CACHE: HeaderValue = HeaderValue::from_static("private, max-age=3600");

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_thumb",
    method: Method::GET,
    pattern: "/v1/media/{id}/thumb",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::MediaRead), |call, caller| {
        Box::pin(thumb(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Show the preview of a file",
        "A small picture, at most 512 pixels long. A file that is not ready has none, and neither has a video on a server without ffmpeg: 404.",
    )
    .answers_with(Answer {
        status: 200,
        description: "The preview.",
        content: Content::Picture,
        headers: vec![("Cache-Control", "A preview never changes.", text())],
    })
    .refuses(&[Code::NotFound])
}

async fn thumb(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let preview = call.api.scheduler.media_preview(&caller, call.path("id")?).await?;
    let mut response = Response::new(preview.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("image/webp"));
    response.headers_mut().insert(CACHE_CONTROL, CACHE);
    Ok(response)
}
