//! The errors: when each is answered, and how it looks.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use http::StatusCode;
use scheduler_core::error::ErrorCode;
use scheduler_core::schemars::{JsonSchema as _, SchemaGenerator};
use serde_json::{Value, json};

/// The name under which a code is written.
pub(super) fn name_of(code: ErrorCode) -> String {
    json!(code).as_str().unwrap_or_default().to_owned()
}

/// When each code is answered, by its name: what the type says of its variants.
static MEANINGS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut generator = SchemaGenerator::default();
    let variants = ErrorCode::json_schema(&mut generator).remove("oneOf").unwrap_or_default();
    let text = |value: &Value| Some(value.as_str()?.replace('\n', " "));
    let named = |variant: &Value| Some((text(&variant["const"])?, text(&variant["description"])?));
    variants.as_array().into_iter().flatten().filter_map(named).collect()
});

/// When a code is answered.
pub(super) fn meaning_of(code: ErrorCode) -> &'static str {
    MEANINGS.get(&name_of(code)).map_or("", String::as_str)
}

/// The message of an answer with this status and code, and what stands beside it.
fn details(status: u16, code: ErrorCode) -> (&'static str, Value) {
    let of_plan = |limit: u64, upgrade: &str| json!({"limit": limit, "upgradeTo": upgrade});
    let details = match code {
        ErrorCode::InvalidRequest if status == 400 => json!({"field": "nonsense"}),
        ErrorCode::PostLimit => of_plan(30, "pro"),
        ErrorCode::UploadLimit => of_plan(1 << 30, "pro"),
        ErrorCode::FileTooLarge if status == 402 => of_plan(100 << 20, "pro"),
        ErrorCode::ChannelLimit => of_plan(3, "pro"),
        ErrorCode::ApiNotOnPlan | ErrorCode::AiNotInPlan => of_plan(0, "pro"),
        ErrorCode::AiLimit => of_plan(300, "studio"),
        ErrorCode::ValidationFailed => json!({"issues": [super::examples::issue()]}),
        ErrorCode::Stale => json!({"current": super::examples::scheduled_post()}),
        _ => json!({}),
    };
    (message(status, code), details)
}

const fn message(status: u16, code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidRequest if status == 415 => {
            "Send the body as JSON: Content-Type: application/json."
        }
        ErrorCode::InvalidRequest => {
            "\"nonsense\" is not a query parameter of this endpoint; it takes none."
        }
        ErrorCode::Unauthorized => "The API key is not recognised or has expired.",
        ErrorCode::Forbidden => "This needs a key with the scope posts:publish.",
        ErrorCode::NotFound => "There is no such post in this workspace.",
        ErrorCode::PostLimit => {
            "The plan free covers 30 posts a calendar month, and all of them are used."
        }
        ErrorCode::UploadLimit => {
            "The plan free covers 1073741824 uploaded bytes a calendar month, and this file goes over them."
        }
        ErrorCode::FileTooLarge if status == 413 => {
            "The file is 10737418241 bytes; this server takes at most 10737418240."
        }
        ErrorCode::FileTooLarge => {
            "The file is 104857601 bytes; the plan free covers files of at most 104857600."
        }
        ErrorCode::ChannelLimit => {
            "mastodon @bakery is paused. The plan free covers 3 connected accounts."
        }
        ErrorCode::ApiNotOnPlan => "The plan free includes neither API keys nor webhooks.",
        ErrorCode::AiLimit => {
            "The plan pro covers 300 of these calls to the assistant a calendar month, and all of them are used."
        }
        ErrorCode::AiNotInPlan => "The plan free does not include this of the assistant.",
        ErrorCode::AccountNotConnected => "No mastodon account is connected.",
        ErrorCode::MediaUnusable => {
            "No bytes have arrived; send the file to the upload address first."
        }
        ErrorCode::AlreadyStarted => "This post has begun to go out and cannot change any more.",
        ErrorCode::TargetsLocked => {
            "A target of this post has begun to go out; its targets cannot change any more."
        }
        ErrorCode::InFlight => {
            "A target of this post is going out at this moment; try again when it has ended."
        }
        ErrorCode::NothingToRetry => "No target of this post has failed.",
        ErrorCode::Unsupported => "Telegram does not offer comments.",
        ErrorCode::NotPublished => "This needs a live post; the target waits for its time.",
        ErrorCode::InUse => {
            "A post that has not finished going out needs this file; GET /media/{id}/posts names it."
        }
        ErrorCode::SlotTaken => {
            "Another post holds the slot 2026-12-05 10:00:00 UTC; swap the two, or take a free slot."
        }
        ErrorCode::VideoOnYoutube => {
            "YouTube has begun to store the video of this target; moving it would upload it twice."
        }
        ErrorCode::Stale => {
            "This post was changed by somebody else: it is at revision 4. Look at what it is now, then send your change with that revision."
        }
        ErrorCode::PayloadTooLarge => "The body is larger than 1048576 bytes.",
        ErrorCode::ValidationFailed => {
            "A network would refuse this post. Text is 312 characters for Bluesky, the limit is 300."
        }
        ErrorCode::AiDeclined => "The assistant would not write these captions.",
        ErrorCode::RateLimited => "Too many requests; try again in 7 s.",
        ErrorCode::AiUnavailable => "This server has no assistant; its operator can configure one.",
        ErrorCode::NetworkError => "The network did not answer in time.",
        ErrorCode::NetworkRefused => "The network refused this.",
        ErrorCode::InDoubt => {
            "The connection broke. It may have been done all the same; look before you try it again."
        }
        ErrorCode::Unavailable => {
            "The server's storage does not answer at the moment, so it is not known whether this was stored. Try again in 5 s, with the same Idempotency-Key where there was one, or look first."
        }
        ErrorCode::StorageFull => {
            "The server has no room left to store anything; nothing was stored. Try again when its operator has made room."
        }
        ErrorCode::Internal => {
            "Something went wrong on our side; the x-request-id of this answer finds it in the log."
        }
    }
}

/// The body of an answer with this status and code, as it may look.
pub(super) fn body_of(status: u16, code: ErrorCode) -> Value {
    let (message, more) = details(status, code);
    let error = super::schema::with(json!({"code": code, "message": message}), more);
    json!({"error": error})
}

/// The key of the example of a status and code.
pub(super) fn example_name(status: u16, code: ErrorCode) -> String {
    match (code, status) {
        (ErrorCode::InvalidRequest, 415) => "unsupported_media_type".to_owned(),
        (ErrorCode::FileTooLarge, 413) => "file_too_large_for_server".to_owned(),
        _ => name_of(code),
    }
}

/// What a status means.
pub(super) fn title_of(status: u16) -> &'static str {
    let status = StatusCode::from_u16(status).ok();
    status.and_then(|status| status.canonical_reason()).unwrap_or("Refused")
}
