//! `POST /media/{id}/complete`

use scheduler_core::app::CompleteInput;
use scheduler_core::media::MediaView;

use crate::openapi::examples::processing_media;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "complete_upload",
    method: Method::POST,
    pattern: "/v1/media/{id}/complete",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::MediaWrite), |call, caller| {
        Box::pin(complete(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let parts = json!({"parts": [
        {"partNumber": 1, "etag": "\"9bb58f26192e4ba00f01e2e7b136bbd8\""},
        {"partNumber": 2, "etag": "\"5f4dcc3b5aa765d61d8327deb882cf99\""},
    ]});
    Description::new(
        "Put an upload in parts together",
        "After the PUTs of `mode: multipart`. A repeat changes nothing. With 409 `media_unusable` a part is missing or of another size, and the upload stays open.",
    )
    .reads(read::<CompleteInput>, parts)
    .answers(200, "The file, being examined or ready.", written::<MediaView>, processing_media())
    .refuses(&[Code::NotFound, Code::MediaUnusable])
}

async fn complete(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<CompleteInput>(&caller).await?;
    let media = call.api.scheduler.complete_upload(&caller, call.path("id")?, input).await?;
    Ok(answer::json(StatusCode::OK, &media))
}
