//! `PUT /app/v1/links/rules`

use scheduler_core::links::LinkRules;

use super::super::examples::link_rules;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "set_link_rules",
    method: Method::PUT,
    pattern: "/app/v1/links/rules",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(set(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Set what becomes of links",
        "What is sent takes the place of all that there was. Posts that are there keep the links that were worked out for them until they are changed.",
    )
    .reads(read::<LinkRules>, link_rules())
    .answers(200, "What the workspace wants now.", written::<LinkRules>, link_rules())
}

async fn set(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let rules: LinkRules = call.json_of(&member).await?;
    let workspace = call.api.scheduler.set_link_rules(&member.workspace, rules).await?;
    Ok(answer::json(StatusCode::OK, &workspace.links))
}
