//! `DELETE /posts/{id}/targets/{targetId}/remote`

use scheduler_core::post::TargetView;

use super::network;
use crate::openapi::examples::live_target;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "take_down",
    method: Method::DELETE,
    pattern: "/v1/posts/{id}/targets/{targetId}/remote",
    query: &[],
    handler: Handler::Keyed(
        Access::All(&[Scope::PostsWrite, Scope::PostsPublish]),
        |call, caller| Box::pin(take_down(call, caller)),
    ),
    description: Some(describe),
};

fn describe() -> Description {
    let offered = network::whose(|sheet| sheet.can_delete_remote);
    let target = with(
        live_target(),
        json!({"status": "skipped", "canEditRemote": false, "canDeleteRemote": false}),
    );
    Description::new(
        "Take a live post down",
        format!(
            "Where `canDeleteRemote` is true: {offered}. The live post goes, the record stays, and the target is `skipped`."
        ),
    )
    .answers(200, "The target, now skipped.", written::<TargetView>, target)
    .refuses(network::REFUSES)
    .refuses(&[Code::InFlight])
}

async fn take_down(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let remove = async move |scheduler: Scheduler| scheduler.take_down(&caller, post, target).await;
    let post = call.api.to_its_end(remove).await?;
    Ok(answer::json(StatusCode::OK, &call.api.scheduler.target_view(&post, target).await?))
}
