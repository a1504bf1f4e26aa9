//! What the tests of this network share.

use scheduler_core::account::Credentials;
use scheduler_core::ids::TargetId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::LinkedIn;
use crate::conversation::{Answer, Request, Turn, shown};
use crate::registry::{Client, NetworkSettings};
use crate::testing::{answered, answered_text, begun_at, bluesky_job, with_header};

pub(super) const MEMBER: &str = "urn:li:person:8675309";
pub(super) const PAGE: &str = "urn:li:organization:5515715";
pub(super) const SHARE: &str = "urn:li:share:7141138937766391808";

/// What everybody's applications may do, and what approved ones may.
pub(super) const SELF_SERVE: &str = "openid,profile,w_member_social";
pub(super) const EVERYTHING: &str = "openid,profile,w_member_social,r_member_social,r_member_postAnalytics,r_member_profileAnalytics,w_member_social_feed,w_organization_social,w_organization_social_feed,r_organization_social,rw_organization_admin";

pub(super) fn linkedin() -> LinkedIn {
    let client = Client { id: "client-id".to_owned(), secret: SecretString::from("client-secret") };
    LinkedIn::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

/// A post of an author whose token has these permissions.
pub(super) fn job(author: &str, scope: &str) -> PublishJob {
    let mut job = bluesky_job();
    job.account.platform = Platform::Linkedin;
    job.account.network_id = author.to_owned();
    job.account.server_url = None;
    job.account.username = None;
    job.account.display_name = Some("Ana".to_owned());
    job.credentials = credentials(scope);
    job.content = "Hello (world)".to_owned();
    job
}

fn credentials(scope: &str) -> Credentials {
    let secret = json!({
        "accessToken": "access-token",
        "refreshToken": "refresh-token",
        "scopes": scope.split(',').collect::<Vec<_>>(),
    });
    Credentials::new(secret.to_string(), None)
}

pub(super) fn access(author: &str, scope: &str) -> Access {
    let job = job(author, scope);
    Access {
        account: job.account,
        credentials: job.credentials,
        now: begun_at(),
        meter: Metered::free(),
    }
}

/// A live post under a name.
pub(super) fn live_post(urn: &str) -> LivePost {
    LivePost {
        target_id: TargetId(Uuid::from_u128(1)),
        remote: Remote::new(urn, None),
        content: "Hello".to_owned(),
        link_url: None,
        file_count: 0,
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

pub(super) fn all_shown(requests: &[Request]) -> Vec<Value> {
    requests.iter().map(shown).collect()
}

/// The methods and addresses of requests.
pub(super) fn addresses(requests: &[Request]) -> Vec<String> {
    let shown = all_shown(requests);
    shown.iter().map(|request| request["request"].as_str().unwrap().to_owned()).collect()
}

/// An answer that names what was made.
pub(super) fn created(urn: &str) -> Answer {
    with_header(answered_text(201, ""), "x-restli-id", urn)
}

/// A refusal of an input, as the network words it.
pub(super) fn refused(status: u16, code: &str, message: &str) -> Answer {
    answered(
        status,
        &json!({
            "errorDetailType": "com.linkedin.common.error.BadRequest",
            "message": message,
            "errorDetails": {
                "inputErrors": [{ "description": "why", "input": {}, "code": code }],
            },
            "status": status,
        }),
    )
}

/// The refusal of a duplicate.
pub(super) fn duplicate(urn: &str) -> Answer {
    refused(422, "DUPLICATE_POST", &format!("Content is a duplicate of {urn}"))
}

pub(super) fn denied() -> Answer {
    answered(
        403,
        &json!({
            "status": 403,
            "serviceErrorCode": 100,
            "code": "ACCESS_DENIED",
            "message": "Not enough permissions to access: resource",
        }),
    )
}

pub(super) fn gone() -> Answer {
    answered(
        404,
        &json!({ "status": 404, "code": "RESOURCE_NOT_FOUND", "message": "Could not find entity" }),
    )
}
