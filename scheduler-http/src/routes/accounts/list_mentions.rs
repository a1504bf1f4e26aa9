//! `GET /oauth/accounts/{id}/mentions`

use scheduler_core::app::MENTION_QUERY_MAX_CHARACTERS;
use scheduler_core::ports::Mention;

use super::network;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_mentions",
    method: Method::GET,
    pattern: "/v1/oauth/accounts/{id}/mentions",
    query: &[Parameter::required("q", "The begin of a name.", || {
        with(text(), json!({"minLength": 1, "maxLength": MENTION_QUERY_MAX_CHARACTERS}))
    })
    .for_example("ann")],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(list_mentions(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let found = json!({"handle": "@ann@social.example", "name": "Ann"});
    Description::new(
        "Look up names to mention",
        "Where the network offers it; for others the list is empty.",
    )
    .answers(200, "The names.", list_of::<Mention>("MentionList"), json!({"data": [found]}))
    .refuses(network::REFUSES)
}

async fn list_mentions(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (account, query) = (call.path("id")?, call.query.take("q"));
    let ask = async move |scheduler: Scheduler| {
        scheduler.mentions(&caller, account, query.as_deref()).await
    };
    let names = call.api.to_its_end(ask).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": names })))
}
