//! What the tests of this network share.

use scheduler_core::account::Credentials;
use scheduler_core::ids::TargetId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::YouTube;
use super::publish::PIECE_BYTES;
use crate::conversation::{Answer, Request, Turn, shown};
use crate::registry::{Client, NetworkSettings};
use crate::testing::files::with_file;
use crate::testing::{answered, answered_text, begun_at, bluesky_job, with_header, with_options};

pub(super) const CHANNEL: &str = "UCabcdefghijklmnopqrstuv";
pub(super) const VIDEO: &str = "aBcDeFgHiJk";
pub(super) const SESSION: &str =
    "https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=xyz";
pub(super) const EVERYTHING: &str = "https://www.googleapis.com/auth/youtube.upload https://www.googleapis.com/auth/youtube https://www.googleapis.com/auth/youtube.force-ssl https://www.googleapis.com/auth/youtube.readonly https://www.googleapis.com/auth/yt-analytics.readonly";

pub(super) fn youtube() -> YouTube {
    let client = Client { id: "client-id".to_owned(), secret: SecretString::from("client-secret") };
    YouTube::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

/// A video of two pieces, the second of 1000 bytes.
pub(super) fn youtube_job(options: Value) -> PublishJob {
    let mut job = with_file(with_options(bluesky_job(), options), "video/mp4", "");
    job.account.platform = Platform::Youtube;
    job.account.network_id = CHANNEL.to_owned();
    job.account.server_url = None;
    job.account.username = Some("ana".to_owned());
    job.credentials = credentials(EVERYTHING);
    job.content = "Harbour walk\nAt dusk".to_owned();
    job.files[0].facts.size_bytes = Some(PIECE_BYTES + 1_000);
    job
}

pub(super) fn credentials(scope: &str) -> Credentials {
    let secret = json!({
        "accessToken": "access-token",
        "refreshToken": "refresh-token",
        "scopes": scope.split(' ').collect::<Vec<_>>(),
        "uploads": "UUabcdefghijklmnopqrstuv",
    });
    Credentials::new(secret.to_string(), None)
}

pub(super) fn access(scope: &str) -> Access {
    let job = youtube_job(json!({}));
    Access {
        account: job.account,
        credentials: credentials(scope),
        now: begun_at(),
        meter: Metered::free(),
    }
}

/// A live post under an id.
pub(super) fn live_post(id: &str) -> LivePost {
    LivePost {
        target_id: TargetId(Uuid::from_u128(1)),
        remote: Remote::new(id, None),
        content: "Hello".to_owned(),
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
) -> (Vec<Request>, Result<T, NetworkError>) {
    let mut asked = Vec::new();
    loop {
        match next(&answers[..asked.len()]) {
            Ok(Turn::Send(request)) => asked.push(request),
            Ok(Turn::Done(done)) => return (asked, Ok(done)),
            Err(error) => return (asked, Err(error)),
        }
        assert!(asked.len() <= answers.len(), "wants more answers: {:?}", all_shown(&asked));
    }
}

/// The request of a turn that has had these answers.
pub(super) fn asks<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Request {
    match turn {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

pub(super) fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> T {
    match turn {
        Ok(Turn::Done(result)) => result,
        other => panic!("not done: {other:?}"),
    }
}

pub(super) fn next(step: Step) -> Value {
    match step {
        Step::Next(progress) => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

pub(super) fn all_shown(requests: &[Request]) -> Vec<Value> {
    requests.iter().map(shown).collect()
}

/// The methods and addresses of requests.
pub(super) fn addresses(requests: &[Request]) -> Vec<String> {
    let shown = all_shown(requests);
    shown.iter().map(|request| request["request"].as_str().unwrap().to_owned()).collect()
}

/// A session was opened.
pub(super) fn opened() -> Answer {
    with_header(answered_text(200, ""), "location", SESSION)
}

/// A session has so many bytes.
pub(super) fn has(bytes: u64) -> Answer {
    let answer = answered_text(308, "");
    match bytes {
        0 => answer,
        bytes => with_header(answer, "range", &format!("bytes=0-{}", bytes - 1)),
    }
}

/// A session has become a video.
pub(super) fn whole() -> Answer {
    answered_text(200, include_str!("fixtures/video.json"))
}

pub(super) fn refused(status: u16, reason: &str) -> Answer {
    answered(
        status,
        &json!({ "error": {
            "code": status,
            "message": "Some words.",
            "errors": [{ "domain": "youtube.api", "reason": reason, "message": "Some words." }],
        } }),
    )
}

/// The progress of a video that is sent but for its last piece.
pub(super) fn before_last(job: &PublishJob) -> Value {
    use crate::conversation::Conversation as _;
    let network = youtube();
    let opened = next(done(network.advance(job, &network.begin(job), &[opened()])));
    let sent = next(done(network.advance(job, &opened, &[has(0), has(PIECE_BYTES)])));
    next(done(network.advance(job, &sent, &[])))
}

/// The progress of what follows a video that is there.
pub(super) fn after_last(job: &PublishJob) -> Value {
    use crate::conversation::Conversation as _;
    let step = done(youtube().advance(job, &before_last(job), &[has(PIECE_BYTES), whole()]));
    let Step::Live(live) = step else { panic!("not live: {step:?}") };
    assert_eq!(live.remote.unwrap().id, VIDEO);
    live.then.unwrap()
}
