//! `POST /media/{id}/complete`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::{Caller, CompleteInput};
use scheduler_core::error::ErrorCode as Code;
use scheduler_core::key::Scope;
use serde_json::json;
use warp::reply::Response;

use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::extract::Json;
use crate::openapi::description::Description;
use crate::openapi::examples::processing_media;
use crate::openapi::schema::named;

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
    .reads(named("UploadedParts"), parts)
    .answers(200, "The file, being examined or ready.", named("Media"), processing_media())
    .refuses(&[Code::NotFound, Code::MediaUnusable])
}

async fn complete(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<CompleteInput>(&caller).await?;
    let media = call.api.scheduler.complete_upload(&caller, call.path("id")?, input).await?;
    Ok(answer::json(StatusCode::OK, &media))
}
