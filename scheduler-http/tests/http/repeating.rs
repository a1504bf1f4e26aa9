//! Idempotency-Keys over HTTP, at every endpoint that makes something.

use http::Method;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_http::endpoints::{self, Endpoint};
use serde_json::{Value, json};

use crate::exchange::operations;
use crate::support::{Answer, Client, World};

/// How one endpoint makes something.
struct Case {
    endpoint: &'static Endpoint,
    path: String,
    body: Value,
    /// What is made of it otherwise than of `body`.
    other: Value,
    /// What the first answer alone shows.
    shown_once: &'static [&'static str],
    /// What every answer shows anew.
    shown_anew: &'static [&'static str],
}

impl Case {
    /// What an answer tells of the thing itself.
    fn thing(&self, answer: &Answer) -> Value {
        let mut thing = answer.json();
        for field in self.shown_once.iter().chain(self.shown_anew) {
            thing.as_object_mut().unwrap().remove(*field);
        }
        thing
    }
}

async fn cases() -> (World, Client, Vec<Case>) {
    let world = World::everywhere().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Mastodon, "a").await;
    let channel = world.connect(Platform::Youtube, "b").await;
    let (_, live) = world.live(&account).await;
    world.after.comments.lock().unwrap().push("c1".to_owned());
    world.after.take_done();
    let account = account.id.to_string();
    let draft = |text: &str| {
        let targets = json!([{"platform": "mastodon", "accountId": account}]);
        json!({"content": text, "saveAsDraft": true, "targets": targets})
    };
    let picture = world.ready_file().await;
    let smaller = |side: u32| json!({"maxSide": side});
    let image = |bytes: u32| json!({"kind": "image", "mimeType": "image/png", "sizeBytes": bytes});
    let reply = |text: &str| json!({"action": "reply", "text": text});
    let cases = endpoints::api().filter(|one| one.is_repeatable()).map(|endpoint| {
        let (path, [body, other]) = match endpoint.name {
            "create_post" => ("/v1/posts".to_owned(), ["a", "b"].map(draft)),
            "act_on_comment" => (format!("{live}/comments/c1"), ["a", "b"].map(reply)),
            "declare_media" => ("/v1/media".to_owned(), [1_000, 2_000].map(image)),
            "create_version" => (format!("/v1/media/{picture}/versions"), [500, 600].map(smaller)),
            "create_playlist" => {
                let path = format!("/v1/oauth/accounts/{}/youtube/playlists", channel.id);
                (path, ["a", "b"].map(|title| json!({"title": title})))
            }
            "create_webhook" => {
                let url = |host| json!({"url": format!("https://{host}.example.com/hook")});
                ("/v1/workspace/webhooks".to_owned(), ["a", "b"].map(url))
            }
            name => panic!("{name} has no case"),
        };
        let shown_once: &[&str] = if endpoint.name == "create_webhook" { &["secret"] } else { &[] };
        let shown_anew: &[&str] = if endpoint.name == "declare_media" { &["upload"] } else { &[] };
        Case { endpoint, path, body, other, shown_once, shown_anew }
    });
    let cases = cases.collect();
    (world, client, cases)
}

/// The statuses of the first answer and of later ones.
fn statuses(case: &Case) -> (u16, u16) {
    (if case.endpoint.name == "act_on_comment" { 200 } else { 201 }, 200)
}

#[tokio::test]
async fn every_endpoint_that_makes_something_makes_it_once() {
    let (world, client, cases) = cases().await;
    for case in &cases {
        let name = case.endpoint.name;
        let (first_status, later) = statuses(case);
        let keyed = client.with("idempotency-key", "the key of all");
        let first = keyed.post(&case.path, &case.body).await;
        assert_eq!(first.status, first_status, "{name}: {first:?}");
        for header in ["idempotent-replayed", "idempotent-body"] {
            assert_eq!(first.header(header), None, "{name}");
        }
        let acts = world.after.take_done().len();
        let json = keyed.with("content-type", "application/json");
        let spaced = case.body.to_string().replace(':', " :\n ");
        for (what, client, body, is_other) in [
            ("the same", &json, case.body.to_string(), false),
            ("with white space", &json, spaced.replace("https :\n ", "https:"), false),
            ("another body", &json, case.other.to_string(), true),
            ("a wrong body", &json, r#"{"nonsense": 1}"#.to_owned(), true),
            ("no JSON", &json, "{".to_owned(), true),
            // What was not read may be what the first request said.
            ("no content type", &keyed, case.body.to_string(), false),
            ("too large", &json, " ".repeat((1 << 20) + 1), false),
        ] {
            let again = client.send(Method::POST, &case.path, &body).await;
            assert_eq!(again.status, later, "{name} {what}: {again:?}");
            assert_eq!(case.thing(&again), case.thing(&first), "{name} {what}");
            assert_eq!(again.header("idempotent-replayed"), Some("true"), "{name} {what}");
            let told = again.header("idempotent-body");
            assert_eq!(told, is_other.then_some("other"), "{name} {what}");
            for field in case.shown_once {
                assert!(again.json()[field].is_null(), "{name} {what}: {field} is shown once");
            }
        }
        assert_eq!(world.after.take_done().len(), 0, "{name}: nothing reaches a network");
        let other = client.with("idempotency-key", "another key");
        let other = other.post(&case.path, &case.body).await;
        assert_eq!(other.status, first_status, "{name}");
        assert_eq!(other.header("idempotent-replayed"), None, "{name}");
        assert_eq!(world.after.take_done().len(), acts, "{name}: made anew");
    }
}

#[tokio::test]
async fn twelve_at_once_make_one() {
    let (world, client, cases) = cases().await;
    for case in &cases {
        let name = case.endpoint.name;
        let client = client.with("idempotency-key", "the key of all");
        let tries: Vec<_> = (0..12)
            .map(|_| {
                let (client, path, body) = (client.clone(), case.path.clone(), case.body.clone());
                tokio::spawn(async move { client.post(&path, &body).await })
            })
            .collect();
        let mut answers = Vec::new();
        for one in tries {
            answers.push(one.await.unwrap());
        }
        let is_new = |answer: &&Answer| answer.header("idempotent-replayed").is_none();
        assert_eq!(answers.iter().filter(is_new).count(), 1, "{name}");
        let thing = case.thing(&answers[0]);
        for answer in &answers {
            assert!(answer.status.is_success(), "{name}: {answer:?}");
            assert_eq!(case.thing(answer), thing, "{name}");
        }
        assert!(world.after.take_done().len() <= 1, "{name}");
    }
}

#[tokio::test]
async fn keys_are_looked_at_where_something_is_made() {
    let (_world, client, cases) = cases().await;
    for case in &cases {
        let name = case.endpoint.name;
        let long = "k".repeat(201);
        for key in ["", "1234567", long.as_str()] {
            let client = client.with("idempotency-key", key);
            let answer = client.post(&case.path, &case.body).await;
            let want = (400, "invalid_request".into(), Some("Idempotency-Key".into()));
            assert_eq!(answer.refusal(), want, "{name} {key:?}");
        }
        // A refused request leaves no key behind.
        let client = client.with("idempotency-key", "the key of all");
        assert_eq!(client.post(&case.path, &json!({})).await.status, 400, "{name}");
        let answer = client.post(&case.path, &case.body).await;
        assert_eq!(answer.header("idempotent-replayed"), None, "{name}");
        assert_eq!(answer.status, statuses(case).0, "{name}");
    }
    let (_world, client, rows) = crate::coverage::rows().await;
    let others = rows.iter().filter(|(row, _)| row.method == Method::POST && !row.is_repeatable());
    for (endpoint, case) in others {
        let answer = client.with("idempotency-key", "").post(&case.path, &json!({})).await;
        let field = answer.json()["error"]["field"].clone();
        assert_ne!(field, "Idempotency-Key", "{}: it is ignored", endpoint.name);
    }
}

#[test]
fn the_document_declares_the_key_where_something_is_made() {
    for endpoint in endpoints::api() {
        let path = endpoint.pattern.strip_prefix("/v1");
        let method = endpoint.method.as_str().to_ascii_lowercase();
        let described = operations().find(|one| Some(one.path) == path && one.method == method);
        let Some(described) = described else { continue };
        let takes = described.parameters().any(|one| one["name"] == "Idempotency-Key");
        assert_eq!(takes, endpoint.is_repeatable(), "{}", endpoint.name);
        let headers = &described.value["responses"]["200"]["headers"];
        for header in ["Idempotent-Replayed", "Idempotent-Body"] {
            assert_eq!(headers[header].is_object(), takes, "{} {header}", endpoint.name);
        }
    }
}

#[tokio::test]
async fn an_answer_that_was_lost_is_told_and_nothing_is_sent_again() {
    let (world, client, cases) = cases().await;
    let at_networks = cases
        .iter()
        .filter(|case| matches!(case.endpoint.name, "act_on_comment" | "create_playlist"));
    for case in at_networks {
        let name = case.endpoint.name;
        let client = client.with("idempotency-key", "the key of all");
        let lost = NetworkError::new(NetworkErrorKind::InDoubt, "The answer was lost.");
        *world.after.fails.lock().unwrap() = Some(lost);
        for want in [1, 0, 0] {
            let answer = client.post(&case.path, &case.body).await;
            assert_eq!(answer.refusal(), (409, "in_doubt".into(), None), "{name}");
            assert_eq!(world.after.take_done().len(), want, "{name}");
            *world.after.fails.lock().unwrap() = None;
        }
    }
}
