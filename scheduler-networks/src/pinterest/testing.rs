//! What the tests of this network share.

use scheduler_core::account::Credentials;
use scheduler_core::ids::TargetId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Pinterest;
use crate::conversation::{Answer, Request, Turn, shown};
use crate::registry::{Client, NetworkSettings};
use crate::testing::files::{with_file, with_images};
use crate::testing::{answered, begun_at, bluesky_job, with_options};

pub(super) const BOARD: &str = "549755885175";
pub(super) const PIN: &str = "813744226420795884";

pub(super) fn pinterest() -> Pinterest {
    let client = Client { id: "client-id".to_owned(), secret: SecretString::from("client-secret") };
    Pinterest::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

/// A Pin that shows nothing yet.
pub(super) fn pinterest_job() -> PublishJob {
    let mut job = bluesky_job();
    job.account.platform = Platform::Pinterest;
    job.account.network_id = "2783136121146311751".to_owned();
    job.account.server_url = None;
    job.account.username = Some("ana".to_owned());
    let secret = json!({
        "accessToken": "access-token",
        "refreshToken": "refresh-token",
        "scopes": ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"],
    });
    job.credentials = Credentials::new(secret.to_string(), None);
    job.content = "Ten minutes. #soup".to_owned();
    job.link_url = Some("https://example.com/soup".to_owned());
    with_options(job, json!({ "boardId": BOARD, "title": " Autumn soup " }))
}

/// A Pin of so many images.
pub(super) fn of_images(count: usize) -> PublishJob {
    with_images(pinterest_job(), count)
}

/// A Pin of a video.
pub(super) fn of_video() -> PublishJob {
    with_file(pinterest_job(), "video/mp4", "")
}

pub(super) fn access() -> Access {
    let job = pinterest_job();
    Access {
        account: job.account,
        credentials: job.credentials,
        now: begun_at(),
        meter: Metered::free(),
    }
}

/// A live Pin.
pub(super) fn live_post() -> LivePost {
    LivePost {
        target_id: TargetId(Uuid::from_u128(1)),
        remote: Remote::new(PIN, None),
        content: "Ten minutes. #soup".to_owned(),
        link_url: None,
        file_count: 1,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// Holds a conversation with these answers; the requests that it made, and what came of it.
pub(super) fn held<T>(
    answers: &[Answer],
    mut next: impl FnMut(&[Answer]) -> Result<Turn<T>, NetworkError>,
) -> (Vec<Value>, Result<T, NetworkError>) {
    let mut asked: Vec<Request> = Vec::new();
    loop {
        match next(&answers[..asked.len()]) {
            Ok(Turn::Send(request)) => asked.push(request),
            Ok(Turn::Done(done)) => return (asked.iter().map(shown).collect(), Ok(done)),
            Err(error) => return (asked.iter().map(shown).collect(), Err(error)),
        }
        let shown: Vec<Value> = asked.iter().map(shown).collect();
        assert!(asked.len() <= answers.len(), "wants more answers: {shown:?}");
    }
}

/// An error as the network words it.
pub(super) fn fault(status: u16, code: i64, message: &str) -> Answer {
    answered(status, &json!({ "code": code, "message": message }))
}

/// An answer with a fixture.
pub(super) fn ok(fixture: &str) -> Answer {
    answered(200, &serde_json::from_str(fixture).unwrap())
}
