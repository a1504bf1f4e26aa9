//! Webhooks beyond all measure.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{Row, crowd};
use crate::support::{Api, Networks, Setup, backends};

const ATTEMPTS: usize = 1_000;
const MADE_MAX: usize = 50;

const ATTACK: &str = "1 000 webhooks, addresses of 1 MiB";

/// Asks for a webhook; the status of the answer, and its error.
async fn add(api: &Api, url: &str) -> (StatusCode, Value) {
    let body = json!({ "url": url });
    let answer = api.send_large(Method::POST, "/workspace/webhooks", Some(&body)).await;
    let status = answer.status();
    let mut answer: Value = answer.json().await.unwrap();
    (status, answer["error"].take())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_has_50_webhooks_with_addresses_of_2_kib() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve();
        let api = service.api();
        crowd(&setup, 1);
        let start = "https://receiver.example/";
        for (bytes, status, field) in [
            (2_049, StatusCode::BAD_REQUEST, json!("url")),
            ((1 << 20) - 64, StatusCode::BAD_REQUEST, json!("url")),
            (1 << 20, StatusCode::PAYLOAD_TOO_LARGE, Value::Null),
        ] {
            let (found, error) =
                add(&api, &format!("{start}{}", "a".repeat(bytes - start.len()))).await;
            assert_eq!((found, &error["field"]), (status, &field), "{bytes} bytes: {error}");
            let told = error["message"].as_str().unwrap();
            assert!(
                told.len() < 200 && (field.is_null() || told.contains("limit is 2048")),
                "{told}"
            );
        }
        assert_eq!(api.get("/workspace/webhooks").await["data"], json!([]), "nothing was stored");

        let mut adding = JoinSet::new();
        let mut answers = Vec::new();
        for number in 0..ATTEMPTS {
            let api = api.clone();
            adding.spawn(
                async move { add(&api, &format!("https://receiver.example/{number}")).await },
            );
            if adding.len() == 16 {
                answers.extend(adding.join_next().await);
            }
        }
        answers.extend(adding.join_all().await.into_iter().map(Ok));
        let (mut made, mut refused) = (0, 0);
        for answer in answers {
            let (status, error) = answer.unwrap();
            if status == StatusCode::CREATED {
                made += 1;
                continue;
            }
            assert_eq!((status, &error["field"]), (StatusCode::BAD_REQUEST, &json!("url")));
            assert!(error["message"].as_str().unwrap().contains("has 50 webhooks"), "{error}");
            refused += 1;
        }
        let row = Row::new(ATTACK, &backend);
        row.holds("webhooks made", made, MADE_MAX, made == MADE_MAX);
        row.holds("refused", refused, ATTEMPTS - MADE_MAX, refused == ATTEMPTS - MADE_MAX);
        let listed = api.get("/workspace/webhooks").await;
        assert_eq!(listed["data"].as_array().unwrap().len(), MADE_MAX);
    }
}
