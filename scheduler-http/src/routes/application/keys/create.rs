//! `POST /app/v1/keys`

use scheduler_core::app::NewKeyInput;
use scheduler_core::key::KeyView;

use super::super::examples::key;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_key",
    method: Method::POST,
    pattern: "/app/v1/keys",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(create(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Create an API key",
        "The answer holds its value in `key`, which is shown this once. `confirm` and `livePerHour` are kept to by programs that work with the key through the Model Context Protocol: which calls a person has to confirm, and after how many in an hour something may go out.",
    )
    .reads(read::<NewKeyInput>, json!({"name": "a script", "preset": "drafts", "expires": "1y"}))
    .answers(
        201,
        "The key, with its value.",
        written::<KeyView>,
        with(key(), json!({"key": "sk_example0example0example0example0example0exam"})),
    )
    .refuses(&[Code::ApiNotOnPlan])
}

async fn create(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: NewKeyInput = call.json_of(&member).await?;
    let made = call.api.scheduler.create_key(&member.workspace, &input).await?;
    let mut view = KeyView::from(&made.key);
    view.key = Some(made.value.expose().to_owned());
    Ok(answer::made(&format!("/app/v1/keys/{}", view.id), None, &view))
}
