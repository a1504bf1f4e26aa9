//! `POST /platforms/validate`

use scheduler_core::app::{CheckInput, CheckReport};

use crate::directions;
use crate::openapi::examples::{ACCOUNT, issue};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "check_post",
    method: Method::POST,
    pattern: "/v1/platforms/validate",
    query: &[],
    handler: Handler::Keyed(Access::AnyKey, |call, caller| Box::pin(validate(call, caller))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Check a post without creating it",
        "The dry run: says what creating the post would say, and creates nothing. Text is counted as each network counts it; files, options and the allowances of the plan are checked too.\n\n`counts` says how long each text is, and where it begins to be too much; `times`, when each target would go out, where a time is asked for.\n\nFiles that are not uploaded yet are described in `mediaItems`. What a network would refuse is not an error of this call: it is answered 200 with `ok: false` and the issues.",
    )
    .reads_any(
        to_check,
        vec![
            example(
                "text",
                "A text for two networks",
                json!({
                    "content": "Fresh cakes for Christmas. 🎄",
                    "linkUrl": "https://bakery.example/cakes",
                    "targets": [{"platform": "bluesky"}, {"platform": "mastodon", "accountId": ACCOUNT}],
                }),
            ),
            example(
                "video",
                "A video that is not uploaded yet",
                json!({
                    "content": "How we bake.",
                    "mediaItems": [{
                        "kind": "video",
                        "mimeType": "video/mp4",
                        "sizeBytes": 52_428_800,
                        "durationSeconds": 42.5,
                        "fps": 30,
                        "width": 1_080,
                        "height": 1_920,
                    }],
                    "targets": [{"platform": "youtube", "options": {"title": "How we bake"}}],
                }),
            ),
        ],
    )
    .answers_any(
        200,
        "What was found.",
        written::<CheckReport>,
        vec![
            example(
                "good",
                "Every network would take it",
                json!({
                    "ok": true,
                    "issues": [],
                    "counts": [
                        {"target": 0, "part": "text", "unit": "graphemes", "used": 28, "limit": 300},
                        {"target": 0, "part": "text", "unit": "bytes", "used": 31, "limit": 3_000},
                    ],
                    "times": [{
                        "target": 0,
                        "instant": "2026-12-01T08:00:00Z",
                        "local": "2026-12-01T09:00",
                        "zone": "Europe/Berlin",
                    }],
                }),
            ),
            example("refused", "A network would refuse it", json!({"ok": false, "issues": [issue()]})),
        ],
    )
}

fn to_check(components: &mut Components) -> Value {
    let schema = read::<CheckInput>(components);
    // Its options are not those of a network yet: what is wrong with them is found.
    let target = components.take("TargetInput");
    let words = "One network account that a post might go to.";
    let target = components.add("TargetToCheck", said(target, words));
    let words =
        "Those of the network, as in TargetInput; what is wrong with them becomes an issue.";
    components.change("TargetToCheck", "/properties/options", json!({"description": words}));
    components.change("PostToCheck", "/properties/targets", json!({"items": target}));
    schema
}

async fn validate(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<CheckInput>(&caller).await?;
    let mut report = call.api.scheduler.check_post(&caller, input).await?;
    directions::add_to_report(&mut report);
    Ok(answer::json(StatusCode::OK, &report))
}
