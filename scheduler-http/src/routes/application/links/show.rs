//! `GET /app/v1/links/rules`

use scheduler_core::links::LinkRules;

use super::super::examples::link_rules;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_link_rules",
    method: Method::GET,
    pattern: "/app/v1/links/rules",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Show what becomes of links",
        "What the workspace wants of the links of its posts: parameters by network and label, and short links.",
    )
    .answers(200, "What it wants.", written::<LinkRules>, link_rules())
}

async fn show(_call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    Ok(answer::json(StatusCode::OK, &member.workspace.links))
}
