//! Captions and reviews, by the server as it is built, from a text model as it answers and fails.

use std::collections::BTreeMap;
use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Api, Networks, Service, Setup, backends, client};

const MODEL_KEY: &str = "sk-the-key-of-the-model";
const CONTENT: &str = "A text that nobody else is to read";

fn setup(folder: &Path, database: Option<String>, networks: &Networks) -> Setup {
    Setup { data: folder.into(), database, sandbox: networks.url().into() }
}

/// A server that asks the imitated model, for a workspace on a plan of so many captions.
fn serve(setup: &Setup, networks: &Networks, captions: u32) -> Service {
    let plans = format!(
        "[plans.pro]\ncaptions_a_month = {captions}\nreviews_a_month = 2\n\
         [plans.studio]\ncaptions_a_month = 1500\n"
    );
    std::fs::write(setup.data.join("scheduler.toml"), plans).unwrap();
    let url = format!("{}/assistant/v1", networks.url());
    let service = setup.serve_with(&[
        ("SCHEDULER_AI_URL", &url),
        ("SCHEDULER_AI_KEY", MODEL_KEY),
        ("SCHEDULER_AI_MODEL", "sandbox-model"),
        ("SCHEDULER_AI_TIMEOUT_SECONDS", "2"),
    ]);
    setup.run(&["workspace", "set-plan", "default", "pro"]);
    service
}

async fn post(api: &Api, path: &str, body: &Value) -> (u16, Value) {
    let answer = api.send(Method::POST, path, None, Some(body)).await;
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn captions(api: &Api) -> (u16, Value) {
    let body = json!({"content": CONTENT, "platforms": ["twitter", "bluesky"]});
    post(api, "/ai/captions", &body).await
}

async fn says(networks: &Networks, kind: &str, times: u32) {
    let url = format!("{}/assistant/says", networks.url());
    let body = json!({"kind": kind, "times": times});
    let answer = client().post(url).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 201, "{kind}");
}

async fn fault(networks: &Networks, kind: &str) {
    let fault = json!({"platform": "assistant", "operation": "any", "kind": kind, "afterMs": 600_000,
        "times": 1});
    networks.fault(&fault).await;
}

async fn asked(networks: &Networks) -> usize {
    let requests = networks.requests("assistant").await;
    requests.iter().filter(|path| path.ends_with("/chat/completions")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_at_once_at_one_below_the_allowance_are_one_and_ninety_nine() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path(), backend.url(), &networks);
        let service = serve(&setup, &networks, 8);
        for _ in 0..7 {
            assert_eq!(captions(&service.api()).await.0, 200, "{backend:?}");
        }
        let mut callers = JoinSet::new();
        for _ in 0..100 {
            let api = service.api();
            callers.spawn(async move { captions(&api).await });
        }
        let mut by_answer: BTreeMap<String, usize> = BTreeMap::new();
        for (status, answer) in callers.join_all().await {
            let error = &answer["error"];
            let told =
                format!("{status} {} {} {}", error["code"], error["limit"], error["upgradeTo"]);
            *by_answer.entry(told).or_default() += 1;
        }
        let want =
            [("200 null null null".to_owned(), 1), (r#"402 "ai_limit" 8 "studio""#.to_owned(), 99)];
        assert_eq!(by_answer, BTreeMap::from(want), "{backend:?}");
        assert_eq!(asked(&networks).await, 8, "{backend:?}: the others never got to the model");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_the_model_does_the_answer_is_good_or_costs_nothing() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path(), backend.url(), &networks);
        // One place, which every failure gives back.
        let service = serve(&setup, &networks, 1);
        let api = service.api();
        let unavailable = (503, "ai_unavailable");
        for (kind, times, want) in [
            ("refusal", 1, (422, "ai_declined")),
            ("filtered", 1, (422, "ai_declined")),
            ("prose", 2, unavailable),
            ("other", 2, unavailable),
            ("missing", 2, unavailable),
            ("empty", 2, unavailable),
            ("cut", 1, unavailable),
            ("broken", 1, unavailable),
            ("none", 1, unavailable),
        ] {
            says(&networks, kind, times).await;
            let (status, answer) = captions(&api).await;
            let code = answer["error"]["code"].as_str().unwrap_or_default();
            assert_eq!((status, code), want, "{kind}: {answer}");
            assert!(!answer.to_string().contains(MODEL_KEY), "{answer}");
        }
        for kind in ["error500", "rate_limited", "permanent", "slow", "timeout", "reset_before"] {
            fault(&networks, kind).await;
            let (status, answer) = captions(&api).await;
            let code = answer["error"]["code"].as_str().unwrap_or_default();
            assert_eq!((status, code), unavailable, "{kind}: {answer}");
        }
        // Too long twice: cut at the end of a word, for both networks.
        says(&networks, "long", 2).await;
        let (status, answer) = captions(&api).await;
        assert_eq!(status, 200, "{answer}");
        for (platform, words) in [("twitter", 56), ("bluesky", 60)] {
            let want = "word ".repeat(words);
            assert_eq!(answer["captions"][platform], want.trim_end(), "{platform}");
        }
        assert_eq!(captions(&api).await.0, 402, "{backend:?}: that was the one place");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_post_is_reviewed() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path(), backend.url(), &networks);
        let service = serve(&setup, &networks, 1);
        let api = service.api();
        let targets = json!([{"platform": "bluesky"}]);
        let body = json!({"content": CONTENT, "publishNow": true, "targets": targets});
        let created = api.create(&body).await;
        let ended = api.ended(created["id"].as_str().unwrap()).await;
        let target = ended["targets"][0]["id"].as_str().unwrap().to_owned();
        let stored = format!("/ai/review/{target}");
        assert_eq!(api.get(&stored).await, Value::Null, "{backend:?}");

        let asks = json!({"targetId": target});
        let (status, first) = post(&api, "/ai/review", &asks).await;
        assert_eq!(status, 200, "{backend:?}: {first}");
        assert_eq!((&first["targetId"], &first["score"]), (&json!(target), &json!(7)));
        assert_eq!(api.get(&stored).await, first, "{backend:?}");
        assert_eq!(post(&api, "/ai/review", &asks).await, (200, first.clone()), "{backend:?}");
        assert_eq!(asked(&networks).await, 1, "{backend:?}: the stored one is free");

        let again = json!({"targetId": target, "refresh": true});
        for kind in ["refusal", "broken"] {
            says(&networks, kind, 1).await;
            let (status, answer) = post(&api, "/ai/review", &again).await;
            assert_eq!((status, &answer["error"]["code"]), (503, &json!("ai_unavailable")));
        }
        assert_eq!(api.get(&stored).await, first, "{backend:?}: the last one stays");
        assert_eq!(post(&api, "/ai/review", &again).await.0, 200, "{backend:?}");
        let (status, answer) = post(&api, "/ai/review", &again).await;
        assert_eq!((status, &answer["error"]["limit"]), (402, &json!(2)), "{backend:?}: {answer}");
        let path = format!("/posts/{}", created["id"].as_str().unwrap());
        assert_eq!(api.send(Method::DELETE, &path, None, None).await.status(), 204);
        assert_eq!(api.send(Method::GET, &stored, None, None).await.status(), 404, "{backend:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_configuration_the_model_of_the_sandbox_is_asked_and_no_other() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), None, &networks).serve();
    let (status, answer) = captions(&service.api()).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(networks.requests("assistant").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_holds_neither_the_key_nor_what_is_written() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = setup(folder.path(), None, &networks);
    let log = folder.path().join("log");
    let url = format!("{}/assistant/v1", networks.url());
    let service = setup.serve_logging(
        &[
            ("SCHEDULER_AI_URL", &url),
            ("SCHEDULER_AI_KEY", MODEL_KEY),
            ("SCHEDULER_AI_MODEL", "sandbox-model"),
            ("SCHEDULER_LOG", "trace"),
        ],
        std::fs::File::create(&log).unwrap().into(),
    );
    assert_eq!(captions(&service.api()).await.0, 200);
    for kind in ["error500", "reset_before"] {
        fault(&networks, kind).await;
        assert_eq!(captions(&service.api()).await.0, 503);
    }
    says(&networks, "prose", 2).await;
    assert_eq!(captions(&service.api()).await.0, 503);
    service.stop();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("assistant answered"), "the log is that of this server: {log}");
    for secret in [MODEL_KEY, CONTENT, "What a lovely post"] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn captions_and_reviews_from_the_command_line() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = setup(folder.path(), None, &networks);
    let service = serve(&setup, &networks, 9);
    let key = service.first_key.clone().unwrap();
    let run = |arguments: &[&str]| {
        let server = ["--url", &service.url, "--api-key", &key];
        let output = setup.run(&[arguments, &server].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    let shown = run(&["captions", "Hello there", "--to", "mastodon,bluesky"]);
    assert_eq!(shown, "mastodon\nHello there\n\nbluesky\nHello there\n", "as they were named");
    let document: Value =
        serde_json::from_str(&run(&["captions", "Hi", "--to", "discord", "--json"])).unwrap();
    assert_eq!(document, json!({"captions": {"discord": "Hi"}}));

    let targets = json!([{"platform": "bluesky"}]);
    let body = json!({"content": CONTENT, "publishNow": true, "targets": targets});
    let created = service.api().create(&body).await;
    let ended = service.api().ended(created["id"].as_str().unwrap()).await;
    let target = ended["targets"][0]["id"].as_str().unwrap();
    let shown = run(&["review", target]);
    assert!(shown.starts_with("7/10, "), "{shown}");
    assert!(shown.contains("\nSuggestions\n- End with a question.\n"), "{shown}");
    let document: Value =
        serde_json::from_str(&run(&["review", target, "--refresh", "--json"])).unwrap();
    assert_eq!((&document["targetId"], &document["score"]), (&json!(target), &json!(7)));
}
