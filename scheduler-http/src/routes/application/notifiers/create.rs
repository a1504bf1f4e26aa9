//! `POST /app/v1/notifiers`

use scheduler_core::app::NotifierInput;
use scheduler_core::notification::NotifierView;

use super::super::examples::notifier;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_notifier",
    method: Method::POST,
    pattern: "/app/v1/notifiers",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(create(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Have people told what happens",
        "By e-mail, in Slack or Discord, or by ntfy: what happens from now on, many things in one message, and nothing in their quiet hours.",
    )
    .reads(
        read::<NotifierInput>,
        json!({
            "channel": "email",
            "address": "ana@bakery.example",
            "quiet": {"from": "22:00", "to": "07:00", "timezone": "Europe/Berlin"},
        }),
    )
    .answers(201, "It is stored.", written::<NotifierView>, notifier())
}

async fn create(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: NotifierInput = call.json_of(&member).await?;
    let view = call.api.scheduler.create_notifier(member.workspace.id, input).await?;
    Ok(answer::made(&format!("/app/v1/notifiers/{}", view.id), None, &view))
}
