//! What the tests of Telegram share.

use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::PublishJob;
use serde_json::json;

use crate::conversation::Answer;
use crate::testing::{answered, mastodon_job};

/// The chat of every job of these tests.
pub(super) const CHAT_ID: i64 = -1_001_234_567_890;

/// A post to a channel.
pub(super) fn telegram_job() -> PublishJob {
    let job = mastodon_job(true);
    let secret = json!({ "botToken": "4711:token", "chatId": CHAT_ID });
    PublishJob {
        account: Account {
            platform: Platform::Telegram,
            network_id: format!("4711/{CHAT_ID}"),
            server_url: None,
            username: Some("acme".to_owned()),
            ..job.account
        },
        credentials: Credentials::new(secret.to_string(), None),
        ..job
    }
}

/// A refusal as the server words it.
pub(super) fn refused(number: u16, description: &str) -> Answer {
    answered(number, &json!({ "ok": false, "error_code": number, "description": description }))
}

/// The refusal of a group that has become a supergroup.
pub(super) fn moved(chat_id: i64) -> Answer {
    let body = json!({
        "ok": false,
        "error_code": 400,
        "description": "Bad Request: group chat was upgraded to a supergroup chat",
        "parameters": { "migrate_to_chat_id": chat_id },
    });
    answered(400, &body)
}
