//! What the tests of several modules share.

pub(crate) mod files;
pub(crate) mod steps;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::ids::{AccountId, TargetId, WorkspaceId};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NoMedia, PublishJob};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::conversation::Answer;
pub(crate) use crate::crash;
use crate::stored_files::StoredFiles;

/// A driver's files where a test has none.
pub(crate) fn no_files() -> StoredFiles {
    StoredFiles { files: Arc::new(MemoryFiles::new()), examiner: Arc::new(NoMedia) }
}

/// When every job of these tests begins.
pub(crate) fn begun_at() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_168_800, 0).unwrap()
}

fn job(platform: Platform, network_id: &str, server_url: &str, secret: Value) -> PublishJob {
    let account = Account {
        server_url: Some(server_url.to_owned()),
        username: Some("ana.example.com".to_owned()),
        ..Account::new(
            AccountId(Uuid::from_u128(2)),
            WorkspaceId(Uuid::from_u128(3)),
            platform,
            network_id,
            begun_at(),
        )
    };
    PublishJob {
        target_id: TargetId(Uuid::from_u128(1)),
        revision: 0,
        content: "Hello #rust".to_owned(),
        link_url: None,
        files: Vec::new(),
        thumbnail: None,
        thread_files: Vec::new(),
        options: Map::new(),
        account,
        credentials: Credentials::new(secret.to_string(), None),
        begun_at: begun_at(),
        now: begun_at(),
    }
}

/// A post to Bluesky.
pub(crate) fn bluesky_job() -> PublishJob {
    let secret = json!({ "accessJwt": "access-token", "refreshJwt": "refresh-token" });
    let did = "did:plc:abcdefghijklmnopqrstuvwx";
    job(Platform::Bluesky, did, "https://pds.example.com", secret)
}

/// The same as the first of a thread.
pub(crate) fn in_thread(job: PublishJob, parts: &[&str]) -> PublishJob {
    with_options(job, json!({ "thread": parts }))
}

/// The same with options.
pub(crate) fn with_options(job: PublishJob, options: Value) -> PublishJob {
    let Value::Object(options) = options else { panic!("options are an object") };
    PublishJob { options, ..job }
}

/// An answer with a JSON body.
pub(crate) fn answered(status: u16, body: &Value) -> Answer {
    answered_text(status, &body.to_string())
}

/// An answer with a body of any kind.
pub(crate) fn answered_text(status: u16, body: &str) -> Answer {
    Answer { status, headers: Vec::new(), body: body.as_bytes().to_vec() }
}

/// The same with a header.
pub(crate) fn with_header(mut answer: Answer, name: &str, value: &str) -> Answer {
    answer.headers.push((name.to_owned(), value.to_owned()));
    answer
}

/// A post to Mastodon itself, or to software that does not know a repeat by its key.
pub(crate) fn mastodon_job(is_mastodon: bool) -> PublishJob {
    let secret = json!({
        "accessToken": "access-token",
        "accountId": "109000000000000001",
        "appName": "scheduler",
        "isMastodon": is_mastodon,
    });
    let id = "m.example/109000000000000001";
    job(Platform::Mastodon, id, "https://m.example", secret)
}
