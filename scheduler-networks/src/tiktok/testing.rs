//! What the tests of TikTok share.

use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;
use secrecy::SecretString;
use serde_json::{Map, Value, json};

use super::TikTok;
use crate::conversation::{Answer, Conversation, Request, Turn, shown};
use crate::registry::{Client, NetworkSettings};
use crate::testing::files::with_file;
use crate::testing::{answered, answered_text, begun_at, bluesky_job, with_options};

pub(super) const OPEN_ID: &str = "723f24d7-e717-40f8-a2b6-cb8464cd23b4";
pub(super) const POST_ID: &str = "7512345678901234567";

pub(super) const CREATOR: &str = include_str!("fixtures/creator_info.json");
pub(super) const VIDEO_INIT: &str = include_str!("fixtures/video_init.json");
pub(super) const CONTENT_INIT: &str = include_str!("fixtures/content_init.json");
pub(super) const COMPLETE: &str = include_str!("fixtures/publish_complete.json");

/// The network, with an application of the operator.
pub(super) fn tiktok() -> TikTok {
    let client =
        Client { id: "client-key".to_owned(), secret: SecretString::from("client-secret") };
    TikTok::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

/// A post to TikTok without a file, with these options, of an account that has allowed everything.
pub(super) fn tiktok_job(options: Value) -> PublishJob {
    scoped_job(options, None)
}

/// The same of an account that has allowed these scopes.
pub(super) fn scoped_job(options: Value, scopes: Option<&[&str]>) -> PublishJob {
    let job = bluesky_job();
    let account = Account {
        platform: Platform::Tiktok,
        network_id: OPEN_ID.to_owned(),
        server_url: None,
        username: Some("ana".to_owned()),
        ..job.account
    };
    let kept = json!({
        "accessToken": "access-token",
        "refreshToken": "refresh-token",
        "scopes": scopes,
    });
    let credentials = Credentials::new(kept.to_string(), None);
    let content = "Harbour walk #sea".to_owned();
    with_options(PublishJob { account, credentials, content, ..job }, options)
}

pub(super) fn public() -> Value {
    json!({ "privacy": "PUBLIC_TO_EVERYONE" })
}

/// A video of so many bytes.
pub(super) fn video_job(options: Value, bytes: u64) -> PublishJob {
    let mut job = with_file(tiktok_job(options), "video/mp4", "");
    job.files[0].facts.size_bytes = Some(bytes);
    job
}

/// So many photos.
pub(super) fn photo_job(options: Value, count: usize) -> PublishJob {
    (0..count).fold(tiktok_job(options), |job, _| with_file(job, "image/jpeg", ""))
}

pub(super) fn access(scopes: Option<&[&str]>) -> Access {
    let job = scoped_job(json!({}), scopes);
    Access {
        account: job.account,
        credentials: job.credentials,
        now: begun_at(),
        meter: Metered::free(),
    }
}

pub(super) fn live_post(id: &str) -> LivePost {
    LivePost {
        target_id: tiktok_job(json!({})).target_id,
        remote: Remote::new(id, None),
        content: "Harbour walk #sea".to_owned(),
        link_url: None,
        file_count: 1,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// An answer that was done.
pub(super) fn ok(data: &Value) -> Answer {
    answered(
        200,
        &json!({ "data": data, "error": { "code": "ok", "message": "", "log_id": "2026" } }),
    )
}

/// The same from a recorded text.
pub(super) fn recorded(text: &str) -> Answer {
    answered_text(200, text)
}

/// A refusal as the network words it.
pub(super) fn refused(status: u16, code: &str) -> Answer {
    let error = json!({ "code": code, "message": "Why it is so.", "log_id": "202611201000" });
    answered(status, &json!({ "data": {}, "error": error }))
}

/// An answer of the status of a publish.
pub(super) fn status(status: &str) -> Answer {
    ok(&json!({ "status": status }))
}

/// The request of a turn.
pub(super) fn asks<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Request {
    match turn {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

/// The result of a turn.
pub(super) fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> T {
    match turn {
        Ok(Turn::Done(result)) => result,
        other => panic!("not done: {other:?}"),
    }
}

/// Holds a conversation with these answers: the requests that it made, and what came of it.
pub(super) fn held<T>(
    answers: &[Answer],
    mut next: impl FnMut(&[Answer]) -> Result<Turn<T>, NetworkError>,
) -> (Vec<Value>, Result<T, NetworkError>) {
    let mut asked = Vec::new();
    loop {
        match next(&answers[..asked.len()]) {
            Ok(Turn::Send(request)) => asked.push(shown(&request)),
            Ok(Turn::Done(result)) => return (asked, Ok(result)),
            Err(error) => return (asked, Err(error)),
        }
        assert!(asked.len() <= answers.len(), "wants more answers: {asked:?}");
    }
}

/// Takes one step with these answers.
pub(super) fn step(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<Value>, Result<Step, NetworkError>) {
    held(answers, |answers| tiktok().advance(job, progress, answers))
}

/// The progress with which a publish goes on after a step with these answers.
pub(super) fn after(job: &PublishJob, progress: &Value, answers: &[Answer]) -> Value {
    match step(job, progress, answers).1 {
        Ok(Step::Next(progress) | Step::Wait { progress, .. }) => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

/// The progress of a video whose first bytes are sent next.
pub(super) fn announced(job: &PublishJob) -> Value {
    let begun = tiktok().begin(job);
    let allowed = after(job, &begun, &[recorded(CREATOR)]);
    after(job, &allowed, &[recorded(VIDEO_INIT)])
}
