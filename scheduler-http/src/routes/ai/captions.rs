//! `POST /ai/captions`

use scheduler_core::app::{Captions, CaptionsInput};

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "write_captions",
    method: Method::POST,
    pattern: "/v1/ai/captions",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsWrite), |call, caller| {
        Box::pin(captions(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Write a caption for each network",
        "Each caption keeps the rules of its network. One call counts once against the plan's allowance of the month, whatever the number of networks; a call that fails counts nothing.",
    )
    .reads(
        read::<CaptionsInput>,
        json!({"content": "We bake cakes. 🍰", "platforms": ["bluesky", "mastodon"]}),
    )
    .answers(
        200,
        "The captions, by network.",
        by_network,
        json!({"captions": {"bluesky": "Cakes! 🍰", "mastodon": "We bake cakes."}}),
    )
    .refuses(&[Code::AiLimit, Code::AiNotInPlan, Code::AiDeclined, Code::AiUnavailable])
}

fn by_network(components: &mut Components) -> Value {
    let schema = written::<Captions>(components);
    let names = json!({"propertyNames": named("Platform")});
    components.change("Captions", "/properties/captions", names);
    schema
}

async fn captions(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<CaptionsInput>(&caller).await?;
    let write = async move |scheduler: Scheduler| scheduler.write_captions(&caller, input).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(write).await?))
}
