//! `GET /media/{id}/posts`

use scheduler_core::post::PostPage;

use crate::openapi::examples::{MEDIA, live_post};
use crate::routes::posts::page;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_media_posts",
    method: Method::GET,
    pattern: "/v1/media/{id}/posts",
    query: &[page::LIMIT, page::BEFORE],
    handler: Handler::Keyed(Access::Scope(Scope::MediaRead), |call, caller| {
        Box::pin(posts(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let post = with(live_post(), json!({"mediaIds": [MEDIA]}));
    Description::new(
        "List the posts that use a file",
        "Newest first. When there are more, `nextCursor` is not null; send it as `before`. A page also ends before it holds more than 8 MiB.",
    )
    .answers(200, "A page of posts.", written::<PostPage>, json!({"data": [post], "nextCursor": null}))
    .refuses(&[Code::NotFound])
}

async fn posts(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let input = page::of(&mut call);
    let place = call.api.pages.place(caller.workspace.id).await?;
    let id = call.path("id")?;
    Ok(place.answer(call.api.scheduler.posts_of_media(&caller, id, &input).await?))
}
