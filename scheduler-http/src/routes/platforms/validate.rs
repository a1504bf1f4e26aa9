//! `POST /platforms/validate`

use scheduler_core::app::CheckInput;
use scheduler_core::media::VideoCodec;
use scheduler_core::post::MEDIA_MAX_COUNT;

use crate::directions;
use crate::openapi::content::content;
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
        "The dry run: says what creating the post would say, and creates nothing. Text is counted as each network counts it; files, options and the allowances of the plan are checked too.\n\nFiles that are not uploaded yet are described in `mediaItems`. What a network would refuse is not an error of this call: it is answered 200 with `ok: false` and the issues.",
    )
    .schema("PostToCheck", to_check())
    .schema("MediaItem", item())
    .schema("CheckReport", object([
        ("ok", said(flag(), "False when any issue is an error.")),
        ("issues", list(named("ValidationIssue"))),
    ]))
    .reads_any(
        named("PostToCheck"),
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
        named("CheckReport"),
        vec![
            example("good", "Every network would take it", json!({"ok": true, "issues": []})),
            example("refused", "A network would refuse it", json!({"ok": false, "issues": [issue()]})),
        ],
    )
}

fn to_check() -> Value {
    let [content, link, (media, files), alt] = content();
    let items = with(or_null(list(named("MediaItem"))), json!({"maxItems": MEDIA_MAX_COUNT}));
    object([
        content,
        link,
        // None in the list is none: here the interface description sets no least number.
        (media, with(files, json!({"minItems": 0}))),
        ("mediaItems?", said(items, "Files that are not uploaded yet.")),
        alt,
        ("targets", with(list(named("TargetToCheck")), json!({"minItems": 1}))),
    ])
}

fn item() -> Value {
    let codecs = json!(VideoCodec::ALL);
    let schema = object([
        ("kind", named("MediaKind")),
        ("sizeBytes?", or_null(count())),
        ("durationSeconds?", or_null(json!({"type": "number"}))),
        ("fps?", or_null(json!({"type": "number"}))),
        ("mimeType?", or_null(text())),
        ("width?", or_null(count())),
        ("height?", or_null(count())),
        (
            "videoCodec?",
            said(or_null(json!({"type": "string", "enum": codecs})), "How its pictures are coded."),
        ),
        ("frameCount?", said(or_null(count()), "Its pictures: those of an animation or a video.")),
    ]);
    said(schema, "A file that is not uploaded yet, as its owner describes it.")
}

async fn validate(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<CheckInput>(&caller).await?;
    let mut report = call.api.scheduler.check_post(&caller, input).await?;
    directions::add_to_report(&mut report);
    Ok(answer::json(StatusCode::OK, &report))
}
