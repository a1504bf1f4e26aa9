//! The errors: when each is answered, and how it looks.

use http::StatusCode;
use scheduler_core::error::ErrorCode;
use serde_json::{Value, json};

/// The name under which a code is written.
pub(super) fn name_of(code: ErrorCode) -> String {
    json!(code).as_str().unwrap_or_default().to_owned()
}

/// When a code is answered.
pub(super) const fn meaning_of(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidRequest => {
            "The body, a header or a parameter did not validate; `field` names it."
        }
        ErrorCode::Unauthorized => "The key is missing, expired or not recognised.",
        ErrorCode::Forbidden => "The key lacks a scope; the message names it.",
        ErrorCode::NotFound => "There is no such thing in this workspace, or no such path.",
        ErrorCode::PostLimit => "The plan's posts of the month are used up.",
        ErrorCode::UploadLimit => "The plan's uploaded bytes of the month are used up.",
        ErrorCode::FileTooLarge => {
            "The file is larger than the plan allows (402, with `limit`) or than the server takes (413)."
        }
        ErrorCode::ChannelLimit => "The account is beyond the channels that the plan covers.",
        ErrorCode::ApiNotOnPlan => "The plan includes neither API keys nor webhooks.",
        ErrorCode::AiLimit => "The plan's assistant calls of the month are used up.",
        ErrorCode::AiNotInPlan => "The plan includes no assistant.",
        ErrorCode::AccountNotConnected => {
            "No account of the network is connected, or it has to be connected again."
        }
        ErrorCode::MediaUnusable => "A file's bytes are missing, of another size, or deleted.",
        ErrorCode::AlreadyStarted => "The post or the target has begun to go out.",
        ErrorCode::TargetsLocked => "Targets cannot change any more: one has begun to go out.",
        ErrorCode::InFlight => "A target is going out at this moment.",
        ErrorCode::NothingToRetry => "No target has failed.",
        ErrorCode::Unsupported => "The network does not offer this.",
        ErrorCode::NotPublished => "The target is not live.",
        ErrorCode::InUse => "A post that has not finished going out needs the file.",
        ErrorCode::VideoOnYoutube => {
            "YouTube has begun to store the target's video; at another account it would be there twice."
        }
        ErrorCode::PayloadTooLarge => "The body is larger than 1 MiB.",
        ErrorCode::ValidationFailed => "A network would refuse the post; `issues` says why.",
        ErrorCode::AiDeclined => "The assistant would not write the text.",
        ErrorCode::RateLimited => "Too many requests; `Retry-After` says how long to wait.",
        ErrorCode::AiUnavailable => "The assistant is not configured or does not answer.",
        ErrorCode::NetworkError => {
            "The network failed or could not be reached; trying again may help."
        }
        ErrorCode::NetworkRefused => "The network refused what was asked.",
        ErrorCode::InDoubt => "The network's answer was lost; look there before you try it again.",
        ErrorCode::Internal => {
            "A fault of the server; the log has it under the `x-request-id` of the answer."
        }
    }
}

/// What stands beside code and message in an answer with this status.
fn details(status: u16, code: ErrorCode) -> (&'static str, Value) {
    match code {
        ErrorCode::InvalidRequest if status == 415 => {
            ("Send the body as JSON: Content-Type: application/json.", json!({}))
        }
        ErrorCode::InvalidRequest => {
            ("\"nonsense\" is not a field of this body.", json!({"field": "nonsense"}))
        }
        ErrorCode::Unauthorized => {
            ("The API key is missing, expired or not recognised.", json!({}))
        }
        ErrorCode::Forbidden => ("This needs a key with the scope posts:publish.", json!({})),
        ErrorCode::NotFound => ("There is no such post in this workspace.", json!({})),
        ErrorCode::PostLimit => {
            ("The plan free covers 30 posts a month.", json!({"limit": 30, "upgradeTo": "pro"}))
        }
        ErrorCode::UploadLimit => (
            "The plan free covers 1073741824 uploaded bytes a month.",
            json!({"limit": 1_073_741_824_u64, "upgradeTo": "pro"}),
        ),
        ErrorCode::FileTooLarge if status == 413 => {
            ("The file is 10737418241 bytes; this server takes at most 10737418240.", json!({}))
        }
        ErrorCode::FileTooLarge => (
            "The file is 104857601 bytes; the plan free takes at most 104857600.",
            json!({"limit": 104_857_600, "upgradeTo": "pro"}),
        ),
        ErrorCode::ChannelLimit => {
            ("The plan free covers 3 channels.", json!({"limit": 3, "upgradeTo": "pro"}))
        }
        ErrorCode::ApiNotOnPlan => (
            "The plan free includes no API keys and no webhooks.",
            json!({"limit": 0, "upgradeTo": "pro"}),
        ),
        ErrorCode::AiLimit => (
            "The plan pro covers 300 calls for captions a month.",
            json!({"limit": 300, "upgradeTo": "studio"}),
        ),
        ErrorCode::AiNotInPlan => {
            ("The plan free includes no assistant.", json!({"limit": 0, "upgradeTo": "pro"}))
        }
        ErrorCode::AccountNotConnected => ("No account of Bluesky is connected.", json!({})),
        ErrorCode::MediaUnusable => {
            ("A file of this post was deleted; replace it first.", json!({}))
        }
        ErrorCode::AlreadyStarted => ("The post has begun to go out.", json!({})),
        ErrorCode::TargetsLocked => {
            ("A target has begun to go out; the targets cannot change any more.", json!({}))
        }
        ErrorCode::InFlight => ("A target is going out at this moment.", json!({})),
        ErrorCode::NothingToRetry => ("No target of this post has failed.", json!({})),
        ErrorCode::Unsupported => ("Telegram does not offer comments.", json!({})),
        ErrorCode::NotPublished => ("This needs a live post; the target is pending.", json!({})),
        ErrorCode::InUse => ("A post that has not finished going out needs the file.", json!({})),
        ErrorCode::VideoOnYoutube => {
            ("YouTube has begun to store the video of this target.", json!({}))
        }
        ErrorCode::PayloadTooLarge => ("The body is larger than 1048576 bytes.", json!({})),
        ErrorCode::ValidationFailed => (
            "A network would refuse this post. Text is 312 characters for Bluesky, the limit is 300.",
            json!({"issues": [super::examples::issue()]}),
        ),
        ErrorCode::AiDeclined => ("The assistant would not write this.", json!({})),
        ErrorCode::RateLimited => ("Too many requests; try again in 7 s.", json!({})),
        ErrorCode::AiUnavailable => ("No assistant is configured on this server.", json!({})),
        ErrorCode::NetworkError => ("The network did not answer in time.", json!({})),
        ErrorCode::NetworkRefused => ("The network refused this.", json!({})),
        ErrorCode::InDoubt => (
            "The connection broke. It may have been done all the same; look before you try it again.",
            json!({}),
        ),
        ErrorCode::Internal => (
            "Something went wrong on our side; the x-request-id of this answer finds it in the log.",
            json!({}),
        ),
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
