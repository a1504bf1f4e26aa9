//! `POST /app/v1/deliveries/{id}/redeliver`

use scheduler_core::webhook::DeliveryView;

use super::super::examples::delivery;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "redeliver",
    method: Method::POST,
    pattern: "/app/v1/deliveries/{id}/redeliver",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(redeliver(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Send an event again", "Under the same id, now, with five retries ahead.")
        .answers(200, "The delivery, which is due.", written::<DeliveryView>, delivery())
        .refuses(&[Code::NotFound, Code::InFlight])
}

async fn redeliver(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let record = call.api.scheduler.redeliver(member.workspace.id, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &DeliveryView::from(&record)))
}
