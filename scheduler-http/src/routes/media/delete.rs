//! `DELETE /media/{id}`

use scheduler_core::media::MediaView;

use crate::openapi::examples::ready_media;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "delete_media",
    method: Method::DELETE,
    pattern: "/v1/media/{id}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::MediaWrite), |call, caller| {
        Box::pin(delete(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let deleted = with(ready_media(), json!({"status": "deleted", "previewUrl": null}));
    Description::new(
        "Delete a file",
        "Its bytes are removed, its record stays. Refused while a post that has not finished going out needs it.",
    )
    .answers(200, "The file, now deleted.", written::<MediaView>, deleted)
    .refuses(&[Code::NotFound, Code::InUse])
}

async fn delete(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let media = call.api.scheduler.delete_media(&caller, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &media))
}
