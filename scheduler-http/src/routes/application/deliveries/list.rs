//! `GET /app/v1/deliveries`

use scheduler_core::webhook::{DeliveryStatus, DeliveryView};

use super::super::examples::delivery;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_deliveries",
    method: Method::GET,
    pattern: "/app/v1/deliveries",
    query: &[
        Parameter::optional("status", "Only those of this status.", || {
            one_of(["pending", "delivered", "failed"])
        }),
        Parameter::optional("limit", "At most so many.", || up_to(LIMIT_MAX, LIMIT_DEFAULT)),
    ],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

/// Deliveries that are listed at once, at most and unless another number is asked for.
const LIMIT_MAX: u32 = 200;
const LIMIT_DEFAULT: u32 = 50;

fn describe() -> Description {
    Description::new("List deliveries", "The latest with their attempts, newest first.").answers(
        200,
        "The deliveries.",
        list_of::<DeliveryView>("DeliveryList"),
        json!({"data": [delivery()]}),
    )
}

async fn list(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let status: Option<DeliveryStatus> =
        call.query.parsed("status", "pending, delivered or failed")?;
    let limit =
        call.query.parsed("limit", "a number")?.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX);
    let records = call.api.scheduler.deliveries(member.workspace.id, status, limit).await?;
    let views: Vec<DeliveryView> = records.iter().map(DeliveryView::from).collect();
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
