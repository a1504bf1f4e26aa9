//! The client over a transport that answers what a test has written, on a clock that stands still:
//! what is sent again, how long is waited for it, and what the errors say.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::TryStreamExt as _;
use http::{Method, Request, Response, StatusCode};
use scheduler_client::transport::Transport;
use scheduler_client::{Call, Client, Error};
use scheduler_core::app::{CheckInput, WebhookInput};
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::PostId;
use scheduler_core::media::MediaInput;
use scheduler_core::platform::Platform;
use scheduler_core::post::{ListInput, NewPost, PostInput};
use serde_json::{Value, json};
use tokio::time::Instant;

const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";

/// What comes of one request.
#[derive(Clone, Debug)]
enum Comes {
    /// No connection.
    NoConnection,
    /// The connection broke after the request was sent.
    Torn,
    /// This status with this body, and `Retry-After`.
    Answer(u16, String, Option<u64>),
}

fn answer(status: u16, body: &Value) -> Comes {
    Comes::Answer(status, body.to_string(), None)
}

fn refusal(status: u16, code: &str) -> Comes {
    answer(status, &json!({"error": {"code": code, "message": "No."}}))
}

fn put_off(status: u16, code: &str, seconds: u64) -> Comes {
    let Comes::Answer(status, body, _) = refusal(status, code) else { unreachable!() };
    Comes::Answer(status, body, Some(seconds))
}

/// Answers what was written, and keeps what was asked: method, address, idempotency key.
#[derive(Debug, Default)]
struct Script {
    comes: Mutex<VecDeque<Comes>>,
    asked: Mutex<Vec<(Method, String, Option<String>)>>,
}

impl Script {
    fn of(comes: impl IntoIterator<Item = Comes>) -> Arc<Self> {
        Arc::new(Self { comes: Mutex::new(comes.into_iter().collect()), ..Self::default() })
    }

    fn client(self: &Arc<Self>) -> Client {
        Client::over(Arc::clone(self) as Arc<dyn Transport>, "the script").with_key("sk_test")
    }

    fn asked(&self) -> Vec<(Method, String, Option<String>)> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Transport for Script {
    async fn exchange(
        &self,
        request: Request<Bytes>,
        _: Option<Duration>,
    ) -> Result<Response<Bytes>, Error> {
        let key = request.headers().get("idempotency-key");
        let key = key.map(|key| key.to_str().unwrap().to_owned());
        let asked = (request.method().clone(), request.uri().to_string(), key);
        self.asked.lock().unwrap().push(asked);
        let lost = |may_have_arrived| Error::Unreachable {
            url: "the script".to_owned(),
            cause: "as written".to_owned(),
            may_have_arrived,
        };
        match self.comes.lock().unwrap().pop_front().unwrap() {
            Comes::NoConnection => Err(lost(false)),
            Comes::Torn => Err(lost(true)),
            Comes::Answer(status, body, seconds) => {
                let response = Response::builder().status(status).header("x-request-id", "r-1");
                let response = seconds
                    .into_iter()
                    .fold(response, |response, seconds| response.header("retry-after", seconds));
                Ok(response.body(body.into()).unwrap())
            }
        }
    }
}

fn post(status: &str, target: &str) -> Value {
    json!({
        "id": ID, "status": status, "content": "Hi", "linkUrl": null, "mediaIds": [],
        "altTexts": [], "scheduledAt": null, "approvalState": null, "revision": 1, "labels": [],
        "note": null, "metadata": {}, "timing": {"kind": "now"},
        "createdAt": "2026-12-01T09:00:00Z", "updatedAt": "2026-12-01T09:00:00Z",
        "targets": [{
            "id": ID, "platform": "mastodon", "accountId": ID, "status": target, "remoteId": null,
            "remoteUrl": null, "publishedAt": null, "error": null, "errorCode": null,
            "errorPermanent": false, "attempts": 0, "nextAttemptAt": null, "canEditRemote": true,
            "canDeleteRemote": true, "options": {}, "metrics": null,
        }],
    })
}

fn hello() -> PostInput {
    NewPost::text("Hi").to(Platform::Mastodon).now().into()
}

#[tokio::test(start_paused = true)]
async fn what_is_sent_again_and_what_is_not() {
    let made = || answer(201, &post("publishing", "pending"));
    let seen = || answer(200, &post("done", "published"));
    type Ask = fn(&Client) -> futures_util::future::BoxFuture<'_, Result<(), Error>>;
    let create: Ask =
        |client| Box::pin(async { client.create_post(&hello(), "order-1042").await.map(drop) });
    let look: Ask = |client| Box::pin(async { client.post(ID.parse().unwrap()).await.map(drop) });
    let cancel: Ask =
        |client| Box::pin(async { client.delete_post(ID.parse().unwrap(), None).await });
    let change: Ask = |client| {
        Box::pin(async { client.change_post(ID.parse().unwrap(), &hello(), None).await.map(drop) })
    };
    let declare: Ask = |client| {
        Box::pin(async { client.declare_media(&MediaInput::default(), || ()).await.map(drop) })
    };
    let subscribe: Ask = |client| {
        Box::pin(async { client.create_webhook(&WebhookInput::default()).await.map(drop) })
    };
    let gone = || Comes::Answer(204, String::new(), None);
    for (name, ask, comes, times, ends_well) in [
        ("made at once", create, vec![made()], 1, true),
        ("no connection", create, vec![Comes::NoConnection, made()], 2, true),
        ("torn under a key", create, vec![Comes::Torn, Comes::Torn, made()], 3, true),
        ("under way", create, vec![refusal(409, "in_flight"), made()], 2, true),
        ("put off", create, vec![put_off(429, "rate_limited", 3), made()], 2, true),
        ("the database is away", create, vec![put_off(503, "unavailable", 2), made()], 2, true),
        (
            "put off by a proxy",
            create,
            vec![Comes::Answer(429, "<p>".into(), Some(1)), made()],
            2,
            true,
        ),
        ("a fault", create, vec![refusal(500, "internal"), made()], 2, true),
        (
            "a proxy before nobody",
            create,
            vec![Comes::Answer(502, "<p>".into(), None), made()],
            2,
            true,
        ),
        ("refused", create, vec![refusal(422, "validation_failed")], 1, false),
        ("no room", create, vec![refusal(507, "storage_full")], 1, false),
        ("put off for an hour", create, vec![put_off(429, "rate_limited", 3600)], 1, false),
        ("a torn look", look, vec![Comes::Torn, seen()], 2, true),
        ("a cancellation without a connection", cancel, vec![Comes::NoConnection, gone()], 2, true),
        ("a cancellation put off", cancel, vec![put_off(429, "rate_limited", 1), gone()], 2, true),
        // The first may have cancelled; a second would remove the record.
        ("a torn cancellation", cancel, vec![Comes::Torn], 1, false),
        ("a torn declaration", declare, vec![Comes::Torn], 1, false),
        ("a declaration to nobody", declare, vec![Comes::NoConnection], 1, false),
        ("a declaration put off", declare, vec![put_off(429, "rate_limited", 60); 3], 2, false),
        ("a torn subscription", subscribe, vec![Comes::Torn], 1, false),
        ("a torn change", change, vec![Comes::Torn], 1, false),
        ("a change in flight", change, vec![refusal(409, "in_flight")], 1, false),
        ("garbage", create, vec![Comes::Answer(200, "<html>".into(), None)], 1, false),
    ] {
        let script = Script::of(comes);
        let outcome = ask(&script.client()).await;
        assert_eq!(outcome.is_ok(), ends_well, "{name}: {outcome:?}");
        let asked = script.asked();
        assert_eq!(asked.len(), times, "{name}: {asked:?}");
        assert!(asked.iter().all(|one| *one == asked[0]), "{name}: always the same, and its key");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_is_left_alone_for_as_long_as_it_says() {
    let made = answer(201, &post("publishing", "pending"));
    let script = Script::of([put_off(429, "rate_limited", 7), made]);
    let begun = Instant::now();
    script.client().create_post(&hello(), "order-1042").await.unwrap();
    assert_eq!(begun.elapsed().as_secs(), 7);
}

#[tokio::test(start_paused = true)]
async fn trying_ends() {
    let script = Script::of(vec![Comes::Torn; 100]);
    let error = script.client().create_post(&hello(), "order-1042").await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { may_have_arrived: true, .. }), "{error:?}");
    assert_eq!(script.asked().len(), 20);
}

#[tokio::test(start_paused = true)]
async fn errors_are_data() {
    let body = json!({"error": {
        "code": "validation_failed", "message": "Too long.", "field": "content",
        "issues": [{"platform": "bluesky", "severity": "error", "message": "Too long.",
            "rule": "bluesky.text.too_long"}],
    }});
    let script = Script::of([answer(422, &body)]);
    let error = script.client().create_post(&hello(), "order-1042").await.unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::ValidationFailed));
    assert_eq!((error.field(), error.request_id()), (Some("content"), Some("r-1")));
    assert_eq!(error.issues()[0].platform, Some(Platform::Bluesky));
    let refused = error.refused().unwrap();
    assert_eq!(
        (refused.status, refused.path.as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, "/v1/posts")
    );

    let script = Script::of([refusal(418, "of_a_later_version")]);
    let error = script.client().accounts().await.unwrap_err();
    assert!(
        matches!(&error, Error::Unknown { code, .. } if code == "of_a_later_version"),
        "{error:?}"
    );

    let script = Script::of([Comes::Answer(200, "<html>".into(), None)]);
    let error = script.client().accounts().await.unwrap_err();
    assert!(matches!(error, Error::NotOurs { status: StatusCode::OK, .. }), "{error:?}");

    let script = Script::of([answer(200, &json!({"data": 7}))]);
    let error = script.client().accounts().await.unwrap_err();
    assert!(matches!(error, Error::Unreadable(_)), "{error:?}");

    let script = Script::of([]);
    let keyless = Client::over(script.clone(), "the script");
    let error = keyless.accounts().await.unwrap_err();
    assert!(matches!(error, Error::NoKey), "{error:?}");
    assert!(script.asked().is_empty(), "nothing is sent without a key where one is needed");
}

#[tokio::test(start_paused = true)]
async fn a_repeat_is_told_from_the_first() {
    let script = Script::of([answer(201, &post("done", "published"))]);
    assert!(script.client().create_post(&hello(), "order-1042").await.unwrap().is_new);
    let script = Script::of([answer(200, &post("done", "published"))]);
    let again = script.client().create_post(&hello(), "order-1042").await.unwrap();
    assert!(!again.is_new && !again.is_of_other_body);
}

#[tokio::test(start_paused = true)]
async fn pages_follow_their_cursors() {
    let page = |next: Option<&str>| {
        answer(200, &json!({"data": [post("done", "published")], "nextCursor": next}))
    };
    let list = ListInput {
        label: vec!["spring".into(), "a&b".into()],
        limit: Some("1".into()),
        ..ListInput::default()
    };
    let script = Script::of([page(Some("c1")), Comes::Torn, page(Some("c2")), page(None)]);
    let items: Vec<_> = script.client().posts(&list).items().try_collect().await.unwrap();
    assert_eq!(items.len(), 3);
    let asked: Vec<String> = script.asked().into_iter().map(|(_, address, _)| address).collect();
    let of = |before: &str| format!("/v1/posts?{before}label=spring&label=a%26b&limit=1");
    let second = of("before=c1&");
    assert_eq!(asked, [of(""), second.clone(), second, of("before=c2&")]);

    let script = Script::of([page(Some("c1")), refusal(403, "forbidden"), page(None)]);
    let mut pages = script.client().posts(&list);
    assert_eq!(pages.next_page().await.unwrap().unwrap().len(), 1);
    assert_eq!(pages.next_page().await.unwrap_err().code(), Some(ErrorCode::Forbidden));
    assert!(pages.next_page().await.unwrap().is_some(), "the same page once more");
    assert!(pages.next_page().await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_post_is_followed_to_its_end_over_lost_answers() {
    let id: PostId = ID.parse().unwrap();
    let script = Script::of([
        answer(200, &post("publishing", "pending")),
        Comes::Torn,
        put_off(429, "rate_limited", 2),
        refusal(503, "unavailable"),
        refusal(500, "internal"),
        answer(200, &post("publishing", "publishing")),
        answer(200, &post("done", "published")),
    ]);
    let ended = script.client().follow(id).until_ended().await.unwrap();
    assert_eq!(ended.status.as_str(), "done");

    let script = Script::of([refusal(404, "not_found")]);
    let error = script.client().follow(id).until_ended().await.unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::NotFound));
}

#[tokio::test(start_paused = true)]
async fn a_post_of_which_nothing_happens_is_looked_at_now_and_then() {
    let waiting = (0..80).map(|_| answer(200, &post("scheduled", "pending")));
    let ended = answer(200, &post("done", "published"));
    let script = Script::of(waiting.chain([ended]));
    let begun = Instant::now();
    script.client().follow(ID.parse().unwrap()).until_ended().await.unwrap();
    assert!(begun.elapsed() > Duration::from_secs(500), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn whatever_has_no_method_is_asked_for_by_a_call() {
    let report = answer(200, &json!({"ok": true, "issues": []}));
    let script = Script::of([answer(200, &json!({"data": {"x": {}}})), Comes::Torn, report]);
    let client = script.client();
    assert_eq!(client.platforms().await.unwrap().len(), 1);
    assert!(client.check(&CheckInput::from(hello_text())).await.unwrap().ok);
    let script = Script::of([Comes::Torn, answer(200, &json!({"text": "t"}))]);
    let body = json!({"text": "t"});
    let answer = script.client().repeat(Call::put("/snippets/a", &body)).await.unwrap();
    assert_eq!(answer.body, body);
}

fn hello_text() -> NewPost {
    NewPost::text("Hi").to(Platform::Mastodon)
}
