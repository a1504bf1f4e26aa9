//! `PATCH /posts/{id}/targets/{targetId}/remote`

use scheduler_core::app::EditInput;
use scheduler_core::post::TargetView;

use super::network;
use crate::openapi::examples::live_target;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "edit_live_post",
    method: Method::PATCH,
    pattern: "/v1/posts/{id}/targets/{targetId}/remote",
    query: &[],
    handler: Handler::Keyed(
        Access::All(&[Scope::PostsWrite, Scope::PostsPublish]),
        |call, caller| Box::pin(edit(call, caller)),
    ),
    description: Some(describe),
};

fn describe() -> Description {
    let offered = network::whose(|sheet| sheet.can_edit_remote);
    Description::new(
        "Edit a live post",
        format!(
            "Where `canEditRemote` is true: {offered}. The new text is checked by the network's rules; what it would refuse is answered 422."
        ),
    )
    .reads(read::<EditInput>, json!({"content": "Fresh cakes, now with icing."}))
    .answers(200, "The target.", written::<TargetView>, live_target())
    .refuses(network::REFUSES)
    .refuses(&[Code::InFlight, Code::MediaUnusable, Code::ValidationFailed])
}

async fn edit(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let Json(input, _charge) = call.json::<EditInput>(&caller).await?;
    let edit = async move |scheduler: Scheduler| {
        scheduler.edit_live_post(&caller, post, target, input).await
    };
    let post = call.api.to_its_end(edit).await?;
    Ok(answer::json(StatusCode::OK, &call.api.scheduler.target_view(&post, target).await?))
}
