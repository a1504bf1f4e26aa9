//! What the tests of this folder share.

use chrono::{DateTime, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use serde_json::{Map, Value, json};

use super::Discord;
use crate::conversation::{Answer, Turn, shown};
use crate::registry::NetworkSettings;
use crate::testing::bluesky_job;

/// The adapter as it is for Discord itself.
pub(super) fn discord() -> Discord {
    Discord::new(NetworkSettings::default())
}

fn job(network_id: &str, kept: Value) -> PublishJob {
    let mut job = bluesky_job();
    job.account.platform = Platform::Discord;
    job.account.network_id = network_id.to_owned();
    job.account.server_url = None;
    job.account.username = Some("News".to_owned());
    job.credentials = Credentials::new(kept.to_string(), None);
    job
}

/// A post by webhook.
pub(super) fn webhook_job() -> PublishJob {
    let kept = json!({
        "kind": "webhook",
        "id": "1300000000000000000",
        "token": "webhook-token",
        "guildId": "1200000000000000000",
    });
    job("1300000000000000000", kept)
}

/// A post by a bot, to a channel of a type.
pub(super) fn bot_job(channel_type: u8) -> PublishJob {
    let kept = json!({
        "kind": "bot",
        "id": "1100000000000000000",
        "token": "bot-token",
        "guildId": "1200000000000000000",
        "channelId": "1400000000000000000",
        "channelType": channel_type,
    });
    job("1100000000000000000/1400000000000000000", kept)
}

/// The account of a job.
pub(super) fn access(job: &PublishJob) -> Access {
    Access {
        account: job.account.clone(),
        credentials: job.credentials.clone(),
        now: job.now,
        meter: Metered::free(),
    }
}

/// A live post in a channel, and the thread that it opened.
pub(super) fn live_post(job: &PublishJob, channel: &str, thread: Option<&str>) -> LivePost {
    let mut record = json!({ "channelId": channel });
    if let Some(thread) = thread {
        record["threadId"] = thread.into();
    }
    LivePost {
        target_id: job.target_id,
        remote: Remote { record, ..Remote::new("1400000000000000001", None) },
        content: job.content.clone(),
        link_url: None,
        file_count: 0,
        options: Map::new(),
        published_at: published_at(),
    }
}

fn published_at() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

/// Holds a conversation with these answers: what it asked, and what came of it.
pub(super) fn held<T>(
    answers: &[Answer],
    next: impl Fn(&[Answer]) -> Result<Turn<T>, NetworkError>,
) -> (Vec<Value>, Result<T, NetworkError>) {
    let mut asked = Vec::new();
    loop {
        assert!(asked.len() <= answers.len(), "wants more answers: {asked:?}");
        match next(&answers[..asked.len()]) {
            Ok(Turn::Send(request)) => {
                assert!(asked.len() < answers.len(), "wants an answer: {}", shown(&request));
                asked.push(shown(&request));
            }
            Ok(Turn::Done(result)) => return (asked, Ok(result)),
            Err(error) => return (asked, Err(error)),
        }
    }
}
