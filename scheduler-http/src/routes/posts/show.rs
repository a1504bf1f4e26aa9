//! `GET /posts/{id}`

use scheduler_core::post::PostView;

use super::revision::{etag, shown};
use crate::openapi::examples::scheduled_post;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_post",
    method: Method::GET,
    pattern: "/v1/posts/{id}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(show(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Show a post",
        "A post with all its targets. The first characters of its id do as well, 8 or more, while no other post begins so.",
    )
        .answers(200, "The post.", written::<PostView>, shown(scheduled_post()))
        .with_headers(vec![etag()])
        .refuses(&[Code::NotFound])
}

async fn show(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let scheduler = &call.api.scheduler;
    let post = match call.path("id") {
        Ok(id) => scheduler.post(&caller, id).await?,
        Err(_) => scheduler.post_beginning(&caller, call.segment("id")).await?,
    };
    super::shown(scheduler, &post).await
}
