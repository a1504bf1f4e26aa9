//! Comments over HTTP: ids and texts arrive exactly as they were written.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde_json::json;

use crate::support::World;

/// Everything that is no letter, digit or one of `-._~` is written as `%` and two digits.
fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

const IDS: [&str; 14] = [
    "17_4",
    "did:plc:abc~3k",
    "a/b/c",
    "/",
    "100%",
    "%2F",
    "%25",
    "50% / 50%",
    "🦀👨‍👩‍👧",
    "naïve ünïcode の",
    "a+b c",
    "a?b#c&d=e",
    "..",
    "\"quoted\"\\",
];

const TEXTS: [&str; 6] =
    ["Thanks", "100 % 🦀", "%2F / %", "a\nb\tc", "\"quoted\" \\ </script>", "👨‍👩‍👧 の ünï"];

#[tokio::test]
async fn ids_and_texts_survive_the_round_trip() {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Mastodon, "a").await;
    let (_, path) = world.live(&account).await;
    *world.after.comments.lock().unwrap() = IDS.map(str::to_owned).to_vec();
    let listed = client.get(&format!("{path}/comments")).await;
    assert_eq!(listed.status, 200);
    let listed = listed.json();
    assert_eq!((&listed["supported"], &listed["can"]["hide"]), (&json!(true), &json!(true)));
    let listed: Vec<&str> =
        listed["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(listed, IDS);
    world.after.take_done();
    for id in listed {
        let path = format!("{path}/comments/{}", encoded(id));
        for text in TEXTS {
            let answer = client.post(&path, &json!({"action": "reply", "text": text})).await;
            assert_eq!(answer.status, 200, "{id} {text}: {answer:?}");
            assert_eq!(answer.json()["text"], text, "{id}");
            assert_eq!(world.after.take_done(), [format!("Reply({text:?}) on {id}")]);
        }
        let answer = client.post(&path, &json!({"action": "unlike"})).await;
        assert_eq!(answer.json(), json!({"id": id, "action": "unlike"}));
        assert_eq!(world.after.take_done(), [format!("Unlike on {id}")]);
    }
}

#[tokio::test]
async fn refusals() {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Mastodon, "a").await;
    let (_, path) = world.live(&account).await;
    *world.after.comments.lock().unwrap() = vec!["c1".to_owned()];
    let field = |name: &str| Some(name.to_owned());
    for (id, body, want) in [
        ("c2", json!({"action": "like"}), (404, "not_found", None)),
        ("%FF", json!({"action": "like"}), (404, "not_found", None)),
        ("c1", json!({"action": "pin"}), (400, "invalid_request", field("action"))),
        ("c1", json!({"action": 1}), (400, "invalid_request", field("action"))),
        ("c1", json!({}), (400, "invalid_request", field("action"))),
        ("c1", json!({"action": "reply"}), (400, "invalid_request", field("text"))),
        ("c1", json!({"action": "edit", "text": ""}), (400, "invalid_request", field("text"))),
    ] {
        let answer = client.post(&format!("{path}/comments/{id}"), &body).await;
        let want = (want.0, want.1.to_owned(), want.2);
        assert_eq!(answer.refusal(), want, "{id} {body}");
    }
    for (id, want) in [("", 404), ("a/b", 404)] {
        let answer = client.post(&format!("{path}/comments/{id}"), &json!({})).await;
        assert_eq!(answer.status, want, "{id:?}");
    }
    let error = NetworkError::new(
        NetworkErrorKind::RateLimited { wait: Some(chrono::TimeDelta::milliseconds(1_500)) },
        "Slow down.",
    );
    *world.after.fails.lock().unwrap() = Some(error);
    let answer = client.get(&format!("{path}/comments")).await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (429, Some("2")));
}
