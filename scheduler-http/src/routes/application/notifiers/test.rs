//! `POST /app/v1/notifiers/{id}/test`

use scheduler_core::app::NotifierTest;

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "test_notifier",
    method: Method::POST,
    pattern: "/app/v1/notifiers/{id}/test",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(test(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Send people a test",
        "Whatever their quiet hours. Says whether the message was taken.",
    )
    .answers(
        200,
        "What became of it.",
        written::<NotifierTest>,
        json!({"sent": false, "error": "It answered 404: no_service"}),
    )
    .refuses(&[Code::NotFound])
}

async fn test(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let tested = call.api.scheduler.test_notifier(&member.workspace, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &tested))
}
