//! `POST /media/{id}/uploaded`

use scheduler_core::media::MediaView;

use crate::openapi::examples::processing_media;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "confirm_upload",
    method: Method::POST,
    pattern: "/v1/media/{id}/uploaded",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::MediaWrite), |call, caller| {
        Box::pin(uploaded(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Tell that a file is uploaded",
        "After the PUT of `mode: single`. A repeat changes nothing. With 409 `media_unusable` bytes are missing or of another size, and the file can be sent again.",
    )
    .answers(200, "The file, being examined or ready.", written::<MediaView>, processing_media())
    .refuses(&[Code::NotFound, Code::MediaUnusable])
}

async fn uploaded(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let media = call.api.scheduler.confirm_upload(&caller, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &media))
}
