//! `GET /posts/{id}`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::Caller;
use scheduler_core::error::ErrorCode as Code;
use scheduler_core::key::Scope;
use warp::reply::Response;

use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::openapi::examples::scheduled_post;
use crate::openapi::schema::named;

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
    Description::new("Show a post", "A post with all its targets.")
        .answers(200, "The post.", named("Post"), scheduled_post())
        .refuses(&[Code::NotFound])
}

async fn show(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let scheduler = &call.api.scheduler;
    let post = scheduler.post(&caller, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &scheduler.post_view(&post).await?))
}
