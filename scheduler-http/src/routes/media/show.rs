//! `GET /media/{id}`

use scheduler_core::app::ShownMedia;

use crate::openapi::examples::ready_media;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_media",
    method: Method::GET,
    pattern: "/v1/media/{id}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::MediaRead), |call, caller| {
        Box::pin(show(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Show a file",
        "While the file awaits its bytes, a key with media:write is given fresh addresses, so that an upload can go on after the first ones have expired.",
    )
    .answers(200, "The file.", written::<ShownMedia>, ready_media())
    .refuses(&[Code::NotFound])
}

async fn show(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let media = call.api.scheduler.show_media(&caller, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &media))
}
