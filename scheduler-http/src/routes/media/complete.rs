//! `POST /media/{id}/complete`

use scheduler_core::app::CompleteInput;
use scheduler_core::media::PARTS_MAX;

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
    .schema("UploadedParts", uploaded_parts())
    .reads(named("UploadedParts"), parts)
    .answers(200, "The file, being examined or ready.", named("Media"), processing_media())
    .refuses(&[Code::NotFound, Code::MediaUnusable])
}

fn uploaded_parts() -> Value {
    let part = object([
        ("partNumber", json!({"type": "integer", "minimum": 1, "maximum": PARTS_MAX})),
        ("etag", said(text(), "The header `ETag` of the answer to the part's PUT.")),
    ]);
    let parts = with(list(part), json!({"minItems": 1, "maxItems": PARTS_MAX}));
    object([("parts", said(parts, "Every part once, in any order."))])
}

async fn complete(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<CompleteInput>(&caller).await?;
    let media = call.api.scheduler.complete_upload(&caller, call.path("id")?, input).await?;
    Ok(answer::json(StatusCode::OK, &media))
}
