//! `GET /media`

use scheduler_core::app::ListedMedia;
use scheduler_core::app::{MEDIA_LIMIT_DEFAULT, MEDIA_LIMIT_MAX};

use crate::openapi::examples::ready_media;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_media",
    method: Method::GET,
    pattern: "/v1/media",
    query: &[Parameter::optional("limit", "Files in the answer.", || {
        up_to(MEDIA_LIMIT_MAX, MEDIA_LIMIT_DEFAULT)
    })],
    handler: Handler::Keyed(Access::Scope(Scope::MediaRead), |call, caller| {
        Box::pin(list(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let listed = with(ready_media(), json!({"postCount": 1}));
    Description::new("List files", "Newest first, each with the number of posts that use it.")
        .answers(200, "The files.", list_of::<ListedMedia>("MediaList"), json!({"data": [listed]}))
}

async fn list(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let limit = call.query.take("limit");
    let media = call.api.scheduler.list_media(&caller, limit.as_deref()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": media })))
}
